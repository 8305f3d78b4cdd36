; kernel: k
; target: ptx:sm_90
; group-size: 4294967295,4294967295,4294967295
; ERROR: a work-group of 4294967295x4294967295x4294967295 work-items
define void @k(ptr %p) {
  ret void
}
