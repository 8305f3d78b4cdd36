; kernel: k
; target: ptx:sm_90
; CHECK: fma.rn.f32
; CHECK: sin.approx.f32
declare float @llvm.sin.f32(float)
define void @k(ptr %p) {
  %v = load float, ptr %p
  %r = call float @llvm.sin.f32(float %v)
  store volatile float %r, ptr %p
  %s = call afn float @llvm.sin.f32(float %r)
  store volatile float %s, ptr %p
  ret void
}
