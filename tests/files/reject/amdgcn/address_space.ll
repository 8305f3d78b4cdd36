; kernel: k
; target: amdgpu:gfx90a
; ERROR: a value of the type `ptr addrspace(7)`
define void @k(ptr %p) {
  %a = addrspacecast ptr %p to ptr addrspace(7)
  store i8 1, ptr addrspace(7) %a
  ret void
}
