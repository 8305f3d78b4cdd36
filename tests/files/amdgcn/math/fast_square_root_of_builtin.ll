; kernel: k
; target: amdgpu:gfx90a
; fast
; CHECK: v_sqrt_f32
; CHECK-NOT: v_fma_f32
declare float @__acpp_sscp_sqrt_f32(float)
define void @k(ptr %p, float %x) {
  %a = call float @__acpp_sscp_sqrt_f32(float %x)
  store float %a, ptr %p
  ret void
}
