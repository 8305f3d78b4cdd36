; kernel: k
; target: ptx:sm_90
; approximate-square-root
; CHECK: sqrt.approx.f32
declare float @llvm.sqrt.f32(float)
define void @k(ptr %p, float %a) {
  %r = call float @llvm.sqrt.f32(float %a)
  store float %r, ptr %p
  ret void
}
