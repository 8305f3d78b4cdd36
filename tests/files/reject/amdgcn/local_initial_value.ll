; kernel: k
; target: amdgpu:gfx90a
; ERROR: the initial value of the local variable `a`
@a = internal addrspace(3) global i32 5
define void @k(ptr %p) {
  %v = load volatile i32, ptr addrspace(3) @a
  store i32 %v, ptr %p
  ret void
}
