; Barriers and group functions are convergent, and so is what reaches them.
; kernel: k
; step: parse
; CHECK: define void @k(ptr %p) #0
; CHECK: define internal void @outer() #0
; CHECK: define internal i32 @plain(ptr %p) {
; CHECK: declare i32 @__acpp_sscp_sub_group_reduce_i32(i32, i32) #0
; CHECK: define internal void @inner() #0
; CHECK: call void @__acpp_sscp_work_group_barrier(i32 2, i32 4)
; CHECK: call void @__acpp_sscp_work_group_barrier(i32 2, i32 4)
; CHECK: declare void @__acpp_sscp_work_group_barrier(i32, i32) #0
; CHECK: attributes #0 = { convergent }
declare void @__hipsycl_sscp_work_group_barrier(i32, i32)
declare void @__acpp_sscp_work_group_barrier(i32, i32)
declare i32 @__acpp_sscp_sub_group_reduce_i32(i32, i32) memory(none)
define void @k(ptr %p) {
  call void @outer()
  %v = call i32 @plain(ptr %p)
  %sum = call i32 @__acpp_sscp_sub_group_reduce_i32(i32 0, i32 %v)
  store i32 %sum, ptr %p
  ret void
}
define internal void @outer() {
  call void @inner()
  ret void
}
define internal void @inner() {
  call void @__hipsycl_sscp_work_group_barrier(i32 2, i32 4)
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 4)
  ret void
}
define internal i32 @plain(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
