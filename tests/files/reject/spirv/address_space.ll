; kernel: k
; target: spirv:opencl
; ERROR: address space 7
define void @k(ptr addrspace(7) %p) {
  store i32 1, ptr addrspace(7) %p
  ret void
}
