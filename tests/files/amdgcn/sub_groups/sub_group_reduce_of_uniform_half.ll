; kernel: k
; target: amdgpu:gfx1151
; CHECK: v_add_f16_e64_dpp v0, v0, s2 quad_perm:[1,0,3,2]
; CHECK-NOT: v_add_f16_e64_dpp v0, s
declare half @__acpp_sscp_sub_group_reduce_f16(i32, half) convergent
define void @k(ptr %p, half %n) {
  %r = call half @__acpp_sscp_sub_group_reduce_f16(i32 0, half %n)
  store half %r, ptr %p
  ret void
}
