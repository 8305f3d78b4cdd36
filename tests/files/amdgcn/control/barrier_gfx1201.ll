; kernel: k
; target: amdgpu:gfx1201
; CHECK: ds_store_b32
; CHECK: global_wb scope:SCOPE_SE
; CHECK: s_wait_dscnt 0x0
; CHECK: s_barrier_signal -1
; CHECK: s_barrier_wait -1
; CHECK: global_inv scope:SCOPE_SE
; CHECK: ds_load_b32
; CHECK: .group_segment_fixed_size: 256
declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
@tile = internal addrspace(3) global [64 x i32] undef, align 4
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %p, i64 %j) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %q = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %l
  store i32 1, ptr addrspace(3) %q
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %r = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %j
  %v = load i32, ptr addrspace(3) %r
  store i32 %v, ptr %p
  ret void
}
