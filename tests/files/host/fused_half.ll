; Fused multiplications of half are rounded once, on a CPU that computes them in float.
; kernel: k
; target: x86-64-v3
; CHECK: vmulps
; CHECK: vsubps
; CHECK-NOT: callq
declare <8 x half> @llvm.fma.v8f16(<8 x half>, <8 x half>, <8 x half>)
define void @k(ptr %p, ptr %q, ptr %r) {
  %a = load <8 x half>, ptr %p
  %b = load <8 x half>, ptr %q
  %c = load <8 x half>, ptr %r
  %f = call <8 x half> @llvm.fma.v8f16(<8 x half> %a, <8 x half> %b, <8 x half> %c)
  store <8 x half> %f, ptr %p
  ret void
}
