; kernel: k
; target: amdgpu:gfx1100
; CHECK: v_exp_f32
; CHECK: v_ldexp_f32
declare float @llvm.exp.f32(float)
define void @k(ptr %p, float %x) {
  %s = call float @llvm.exp.f32(float %x)
  store float %s, ptr %p
  ret void
}
