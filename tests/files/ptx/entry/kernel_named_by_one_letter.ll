; kernel: é
; target: ptx:sm_90
; CHECK: .entry
define void @"\C3\A9"(ptr %p) {
  store i32 1, ptr %p
  ret void
}
