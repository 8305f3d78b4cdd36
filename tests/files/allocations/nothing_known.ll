; Pointers of which nothing is known may lead to the same allocation.
; kernel: k
; target: ptx:sm_90
; CHECK: ld.global.f32
; CHECK: st.global.f32
; CHECK: ld.global.f32
define void @k(ptr %out, ptr %in) {
  %x = load float, ptr %in
  %z = fadd float %x, 1.0
  store float %z, ptr %out
  %y = load float, ptr %in
  %next = getelementptr float, ptr %out, i64 1
  store float %y, ptr %next
  ret void
}
