; kernel: k
; target: ptx:sm_90
; CHECK: fma.rn.f32
; CHECK-NOT: sin.approx
declare float @llvm.sin.f32(float)
define void @k(ptr %p) {
  %v = load float, ptr %p
  %r = call float @llvm.sin.f32(float %v)
  store float %r, ptr %p
  ret void
}
