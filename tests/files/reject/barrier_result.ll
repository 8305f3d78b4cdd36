; kernel: k
; ERROR: `__acpp_sscp_work_group_barrier` declared as a function that returns `i32`
declare i32 @__acpp_sscp_work_group_barrier(i32, i32) convergent
define void @k(ptr %out) {
  %r = call i32 @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  store i32 %r, ptr %out
  ret void
}
