; kernel: k
; target: amdgpu:gfx90a
; CHECK: v_mul_f32
; CHECK: v_sin_f32
; CHECK-NOT: s_cbranch
declare float @llvm.sin.f32(float)
define void @k(ptr %p, float %x) {
  %s = call afn float @llvm.sin.f32(float %x)
  store float %s, ptr %p
  ret void
}
