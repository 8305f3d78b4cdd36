; kernel: k
; target: ptx:sm_90
; fast
; CHECK: sqrt.approx.f32
; CHECK-NOT: sqrt.rn
declare float @__acpp_sscp_sqrt_f32(float)
define void @k(ptr %p, float %x) {
  %a = call float @__acpp_sscp_sqrt_f32(float %x)
  store float %a, ptr %p
  ret void
}
