; kernel: k
; target: spirv:opencl
; ERROR: addrspace(7)
define void @k(ptr addrspace(7) %p) {
  store i32 1, ptr addrspace(7) %p
  ret void
}
