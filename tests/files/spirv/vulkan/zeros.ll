; kernel: k
; target: spirv:vulkan:1.5:-divergent-fences
; no-optimise
; Lavapipe drops constant zeros, also where they change a sign or make a NaN.
; CHECK: OpBitwiseAnd
; CHECK: OpFAdd
; CHECK: OpBitwiseAnd
; CHECK: OpFDiv
; CHECK: OpBitwiseAnd
; CHECK: OpFMul
define void @k(ptr %p, double %x) {
  %a = fadd double %x, 0.0
  %b = fdiv double 0.0, %a
  %c = fmul double %b, 0.0
  store double %c, ptr %p
  ret void
}
