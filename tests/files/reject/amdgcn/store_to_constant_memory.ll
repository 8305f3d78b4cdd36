; kernel: k
; target: amdgpu:gfx90a
; ERROR: a write to constant memory
; ERROR: write through a pointer to global memory
define void @k(ptr addrspace(4) %p, i32 %v) {
  store i32 %v, ptr addrspace(4) %p
  ret void
}
