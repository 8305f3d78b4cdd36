; kernel: k
; ERROR: the builtin `__acpp_sscp_work_group_barrier` declared as `i32 (i32, i32)`
; ERROR: it is `void (i32, i32)`
declare i32 @__acpp_sscp_work_group_barrier(i32, i32) convergent
define void @k(ptr %out) {
  %r = call i32 @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  store i32 %r, ptr %out
  ret void
}
