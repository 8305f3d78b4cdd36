; kernel: k
; ERROR: `__acpp_sscp_work_group_barrier` cannot be used on
; ERROR: not implemented for this target
declare void @__acpp_sscp_work_group_barrier(i32, i32)
define void @k(ptr %p) {
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 4)
  store i32 1, ptr %p
  ret void
}
