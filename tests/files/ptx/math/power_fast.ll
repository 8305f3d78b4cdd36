; kernel: k
; target: ptx:sm_90
; CHECK: abs.f32
; CHECK: lg2.approx.f32
; CHECK: ex2.approx.f32
declare float @llvm.pow.f32(float, float)
define void @k(ptr %p, float %x, float %y) {
  %s = call afn float @llvm.pow.f32(float %x, float %y)
  store float %s, ptr %p
  ret void
}
