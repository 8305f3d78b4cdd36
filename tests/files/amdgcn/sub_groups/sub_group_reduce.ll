; kernel: k
; target: amdgpu:gfx90a
; group-size: 64,1,1
; CHECK: v_add_u32_dpp
; CHECK-NOT: ds_bpermute
declare i32 @__acpp_sscp_sub_group_reduce_i32(i32, i32) convergent
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %p) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %q = getelementptr i32, ptr %p, i64 %l
  %v = load i32, ptr %q
  %r = call i32 @__acpp_sscp_sub_group_reduce_i32(i32 0, i32 %v)
  store i32 %r, ptr %q
  ret void
}
