; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpConstant %3 0
; CHECK: OpConstant %3 3
; CHECK: OpStore
; CHECK: OpStore
; CHECK-NOT: OpFOrd
; CHECK-NOT: OpFUnord
define void @k(ptr %p, ptr %q) {
  %a = load volatile <2 x float>, ptr %p
  %b = load volatile <2 x float>, ptr %q
  %r0 = fcmp false <2 x float> %a, %b
  store volatile <2 x i1> %r0, ptr %q
  %r1 = fcmp true <2 x float> %a, %b
  store volatile <2 x i1> %r1, ptr %q
  ret void
}
