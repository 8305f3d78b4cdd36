; kernel: k
; target: ptx:sm_90
; ERROR: a kernel parameter that points to address space 5
define void @k(ptr addrspace(5) %p) {
  store i32 1, ptr addrspace(5) %p
  ret void
}
