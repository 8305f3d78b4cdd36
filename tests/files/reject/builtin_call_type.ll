; kernel: k
; ERROR: a call of the builtin `__acpp_sscp_sin_f32` as `float (double)`, which is declared as `float (float)`
declare float @__acpp_sscp_sin_f32(float)
define void @k(ptr %p) {
  %x = load double, ptr %p
  %r = call float @__acpp_sscp_sin_f32(double %x)
  store float %r, ptr %p
  ret void
}
