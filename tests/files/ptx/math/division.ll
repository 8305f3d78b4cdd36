; kernel: k
; target: ptx:sm_90
; CHECK: div.rn.f32
define void @k(ptr %p, float %a, float %b) {
  %r = fdiv float %a, %b
  store float %r, ptr %p
  ret void
}
