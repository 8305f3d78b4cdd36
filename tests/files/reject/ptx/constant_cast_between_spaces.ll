; kernel: k
; target: ptx:sm_90
; ERROR: a cast between two address spaces
@s = internal addrspace(3) global i32 undef
define void @k(ptr %p) {
  store i32 1, ptr addrspace(1) addrspacecast (ptr addrspace(3) @s to ptr addrspace(1))
  %v = load i32, ptr addrspace(3) @s
  store i32 %v, ptr %p
  ret void
}
