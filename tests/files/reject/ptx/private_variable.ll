; kernel: k
; target: ptx:sm_90
; ERROR: the variable `c` in private memory
@c = internal addrspace(5) global i32 0
define void @k(ptr %p, i32 %v) {
  store i32 %v, ptr addrspace(5) @c
  %w = load volatile i32, ptr addrspace(5) @c
  store i32 %w, ptr %p
  ret void
}
