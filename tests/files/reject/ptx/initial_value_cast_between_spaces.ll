; kernel: k
; target: ptx:sm_90
; ERROR: the initial value of `t`, that is cast between two address spaces
@s = internal addrspace(3) global i32 undef
@t = internal addrspace(1) global { ptr addrspace(1), i32 } { ptr addrspace(1) addrspacecast (ptr addrspace(3) @s to ptr addrspace(1)), i32 0 }
define void @k(ptr %p) {
  %v = load volatile ptr addrspace(1), ptr addrspace(1) @t
  store ptr addrspace(1) %v, ptr %p
  ret void
}
