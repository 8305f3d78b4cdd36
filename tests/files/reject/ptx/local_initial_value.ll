; kernel: k
; target: ptx:sm_90
; ERROR: the initial value of the local variable `a`
@a = internal addrspace(3) global i32 7
define void @k(ptr %p) {
  %v = load volatile i32, ptr addrspace(3) @a
  store i32 %v, ptr %p
  ret void
}
