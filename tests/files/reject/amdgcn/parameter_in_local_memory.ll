; kernel: k
; target: amdgpu:gfx90a
; ERROR: a kernel parameter that points to address space 3 (number 1)
define void @k(ptr %q, ptr addrspace(3) %p) {
  store i32 1, ptr addrspace(3) %p
  ret void
}
