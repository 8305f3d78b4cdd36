; kernel: k
; target: amdgpu:gfx1201
; CHECK: v_add_co_u32_e64_dpp v0, s2, v0, s2 quad_perm:[1,0,3,2]
declare i64 @__acpp_sscp_sub_group_reduce_i64(i32, i64) convergent
define void @k(ptr %p, i64 %n) {
  %r = call i64 @__acpp_sscp_sub_group_reduce_i64(i32 0, i64 %n)
  store i64 %r, ptr %p
  ret void
}
