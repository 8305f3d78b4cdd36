; kernel: k
; target: ptx:sm_90
; group-size: 1,1,128
; ERROR: a work-group of 1x1x128 work-items
define void @k(ptr %p) {
  ret void
}
