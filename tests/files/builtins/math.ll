; A math builtin is defined and merged; only libm is left.
; kernel: k
; step: simplify
; CHECK: define void @k
; CHECK-NOT: call float @__acpp_sscp
declare float @__acpp_sscp_sin_f32(float)
define void @k(ptr %p) {
  %x = load float, ptr %p
  %r = call float @__acpp_sscp_sin_f32(float %x)
  store float %r, ptr %p
  ret void
}
