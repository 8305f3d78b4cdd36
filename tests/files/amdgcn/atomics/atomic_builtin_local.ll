; kernel: k
; target: amdgpu:gfx90a
; CHECK: ds_add_u32
; CHECK-NOT: flat_atomic
@l = internal addrspace(3) global i32 undef
declare i32 @__acpp_sscp_atomic_fetch_add_u32(i32, i32, i32, ptr, i32)
define void @k(ptr %p, i32 %n) {
  %o = call i32 @__acpp_sscp_atomic_fetch_add_u32(i32 1, i32 0, i32 2, ptr addrspacecast (ptr addrspace(3) @l to ptr), i32 %n)
  %v = load volatile i32, ptr addrspace(3) @l
  store i32 %v, ptr %p
  ret void
}
