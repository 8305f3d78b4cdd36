; kernel: k
; target: ptx:sm_90
; CHECK: [sinter_local_memory+64]
declare ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
@a = internal addrspace(3) global i32 undef
define void @k(ptr %p) {
  %d = call ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
  %v = load volatile i32, ptr addrspace(3) %d
  store volatile i32 %v, ptr addrspace(3) @a
  store i32 %v, ptr %p
  ret void
}
