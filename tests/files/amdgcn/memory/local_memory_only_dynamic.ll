; kernel: k
; target: amdgpu:gfx1100
; CHECK: ds_load_b32
; CHECK: .group_segment_fixed_size: 0
declare ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
define void @k(ptr %p) {
  %d = call ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
  %v = load volatile i32, ptr addrspace(3) %d
  store i32 %v, ptr %p
  ret void
}
