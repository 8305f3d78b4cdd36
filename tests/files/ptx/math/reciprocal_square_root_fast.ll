; kernel: k
; target: ptx:sm_90
; fast
; CHECK: rsqrt.approx.f32
; CHECK-NOT: div
; CHECK-NOT: sqrt.approx.f32 %f1
; CHECK-NOT: sqrt.rn
declare float @llvm.sqrt.f32(float)
define void @k(ptr %p, float %a) {
  %s = call float @llvm.sqrt.f32(float %a)
  %r = fdiv float 1.0, %s
  store float %r, ptr %p
  ret void
}
