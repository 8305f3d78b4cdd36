; kernel: k
; target: amdgpu:gfx90a
; CHECK: v_mul_f32
; CHECK-NOT: v_log_f32
; CHECK-NOT: v_exp_f32
; CHECK-NOT: s_cbranch
declare float @llvm.pow.f32(float, float)
define void @k(ptr %p, float %x) {
  %s = call afn float @llvm.pow.f32(float %x, float 2.0)
  store float %s, ptr %p
  %q = getelementptr float, ptr %p, i64 1
  %t = call afn float @llvm.pow.f32(float %x, float 3.0)
  store float %t, ptr %q
  ret void
}
