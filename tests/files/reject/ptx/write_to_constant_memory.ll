; kernel: k
; target: ptx:sm_90
; ERROR: a write to constant memory
define void @k(ptr addrspace(4) %p, i32 %v) {
  store i32 %v, ptr addrspace(4) %p
  ret void
}
