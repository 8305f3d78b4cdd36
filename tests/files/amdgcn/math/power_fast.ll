; kernel: k
; target: amdgpu:gfx90a
; CHECK: v_log_f32_e64
; CHECK: v_mul_legacy_f32
; CHECK: v_exp_f32
; CHECK: v_bfi_b32
; CHECK-NOT: v_fma_f32
declare float @llvm.pow.f32(float, float)
define void @k(ptr %p, float %x, float %y) {
  %s = call afn float @llvm.pow.f32(float %x, float %y)
  store float %s, ptr %p
  ret void
}
