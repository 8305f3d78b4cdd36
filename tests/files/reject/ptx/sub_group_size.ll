; kernel: k
; target: ptx:sm_80
; sub-group-size: 16
; ERROR: sub-groups of 16 work-items, which the kernel requires
; ERROR: those of ptx:sm_80 have 32
define void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
