; No GPU runs a work-group of more than 1024 work-items.
; kernel: k
; target: ptx:sm_90
; group-size: 1024,2,1
; ERROR: a work-group of 1024x2x1 work-items cannot be used on ptx:sm_90: it has at most 1024 in all and 64 along the third dimension
define void @k(ptr %p) {
  ret void
}
