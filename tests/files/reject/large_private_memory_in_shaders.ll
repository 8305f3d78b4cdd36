; kernel: k
; target: spirv:vulkan:1.5:-large-private-memory
; ERROR: 16384 bytes of private memory in a work-item
define void @k(ptr addrspace(1) %p, i32 %i) {
  %array = alloca [4096 x i32], addrspace(5)
  %at = getelementptr [4096 x i32], ptr addrspace(5) %array, i32 0, i32 %i
  store volatile i32 %i, ptr addrspace(5) %at
  %x = load volatile i32, ptr addrspace(5) %array
  store i32 %x, ptr addrspace(1) %p
  ret void
}
