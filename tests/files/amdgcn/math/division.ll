; kernel: k
; target: amdgpu:gfx90a
; CHECK: v_div_scale_f32
; CHECK: v_div_fixup_f32
; CHECK: v_sqrt_f32
; CHECK: v_fma_f32
declare float @llvm.sqrt.f32(float)
define void @k(ptr %p, float %x, float %y) {
  %q = fdiv float %x, %y
  %r = call float @llvm.sqrt.f32(float %q)
  store float %r, ptr %p
  ret void
}
