; kernel: k
; target: ptx:sm_90
; CHECK: mul.rn.f32
; CHECK-NOT: .extern
declare float @llvm.powi.f32.i64(float, i64)
declare float @llvm.powi.f32.i16(float, i16)
define void @k(ptr %p, float %a, i64 %i, i16 %j) {
  %r = call float @llvm.powi.f32.i64(float %a, i64 %i)
  %s = call float @llvm.powi.f32.i16(float %r, i16 %j)
  store float %s, ptr %p
  ret void
}
