; A load stays behind a store that may write what it reads.
; kernel: k
; target: ptx:sm_90
; CHECK: ld.global.f32
; CHECK: div.rn.f32
; CHECK: st.global.f32
; CHECK: ld.global.f32
define void @k(ptr %a, ptr %b, ptr %o, float %f) {
  %x = load float, ptr %a
  %d = fdiv float %f, %x
  store float %d, ptr %o
  %y = load float, ptr %b
  %e = fadd float %d, %y
  store float %e, ptr %o
  ret void
}
