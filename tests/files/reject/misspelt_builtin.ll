; kernel: k
; ERROR: did you mean the device builtin `__acpp_sscp_sin_f32`?
declare float @__acpp_sscp_sinn_f32(float)
define void @k(ptr %p) {
  %x = load float, ptr %p
  %r = call float @__acpp_sscp_sinn_f32(float %x)
  store float %r, ptr %p
  ret void
}
