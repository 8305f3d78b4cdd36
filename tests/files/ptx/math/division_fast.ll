; kernel: k
; target: ptx:sm_90
; fast
; CHECK: div.approx.f32
define void @k(ptr %p, float %a, float %b) {
  %r = fdiv float %a, %b
  store float %r, ptr %p
  ret void
}
