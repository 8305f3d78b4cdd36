; kernel: k
; target: amdgpu:gfx90a
; CHECK: s_mul_hi_u32
; CHECK: .private_segment_fixed_size: 0
; CHECK-NOT: v_sin_f32
declare float @llvm.sin.f32(float)
define void @k(ptr %p, float %x) {
  %s = call float @llvm.sin.f32(float %x)
  store float %s, ptr %p
  ret void
}
