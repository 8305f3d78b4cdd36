; Numbers of 16 bits on a CPU without conversions of them: arithmetic of `float` and of integers.
; kernel: k
; target: x86-64-v2
; CHECK: addss
; CHECK-NOT: callq
declare half @llvm.sqrt.f16(half)
define void @k(ptr %p, ptr %q, ptr %d) {
  %a = load half, ptr %p
  %b = load bfloat, ptr %q
  %wide = load double, ptr %d
  %cut = fptrunc double %wide to half
  %s = fadd half %a, %cut
  %r = call half @llvm.sqrt.f16(half %s)
  %t = fmul bfloat %b, %b
  %c = fptrunc double %wide to bfloat
  %u = fadd bfloat %t, %c
  store half %r, ptr %p
  store bfloat %u, ptr %q
  ret void
}
