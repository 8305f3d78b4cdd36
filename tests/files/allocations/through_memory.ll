; A pointer that lies in memory may lead to any allocation.
; kernel: k
; target: ptx:sm_90
; allocations: 0,1
; CHECK: ld.global.f32
; CHECK: st.f32
; CHECK: ld.global.f32
; CHECK: st.f32
define void @k(ptr %table, ptr %in) {
  %out = load ptr, ptr %table
  %x = load float, ptr %in
  %z = fadd float %x, 1.0
  store float %z, ptr %out
  %y = load float, ptr %in
  %next = getelementptr float, ptr %out, i64 1
  store float %y, ptr %next
  ret void
}
