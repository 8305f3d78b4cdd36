; kernel: k
; step: builtins
; CHECK: call i64 @llvm.smax.i64(i64 %e, i64 -5000)
; CHECK: call i64 @llvm.smin.i64(i64 %low, i64 5000)
; CHECK: call float @llvm.ldexp.f32.i32
; CHECK-NOT: call float @llvm.ldexp.f32.i64(
declare float @llvm.ldexp.f32.i64(float, i64)
define void @k(ptr %p, i64 %e) {
  %v = load float, ptr %p
  %r = call float @llvm.ldexp.f32.i64(float %v, i64 %e)
  store float %r, ptr %p
  ret void
}
