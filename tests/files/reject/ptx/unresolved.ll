; kernel: k
; target: ptx:sm_90
; ERROR: `nowhere`
declare void @nowhere(ptr)
define void @k(ptr %p) {
  call void @nowhere(ptr %p)
  ret void
}
