; kernel: k
; step: specialize
; sizes-fit-i32
; CHECK: store i32 1
; CHECK-NOT: @__acpp_sscp_if_global_sizes_fit_in_int
declare i1 @__acpp_sscp_if_global_sizes_fit_in_int()
define void @k(ptr %p) {
  %fit = call i1 @__acpp_sscp_if_global_sizes_fit_in_int()
  %v = zext i1 %fit to i32
  store i32 %v, ptr %p
  ret void
}
