; kernel: k
; target: ptx:sm_70:60
; CHECK: .version 6.0
; CHECK: .target sm_70
define void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
