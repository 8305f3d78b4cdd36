; kernel: k
; target: amdgpu:gfx90a
; approximate-division
; approximate-square-root
; CHECK: v_rcp_f32
; CHECK: v_sqrt_f32
; CHECK-NOT: v_div_scale_f32
; CHECK-NOT: v_fma_f32
declare float @llvm.sqrt.f32(float)
define void @k(ptr %p, float %x, float %y) {
  %q = fdiv float %x, %y
  %r = call float @llvm.sqrt.f32(float %q)
  store float %r, ptr %p
  ret void
}
