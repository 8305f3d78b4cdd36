; Old and new names of one builtin in an image become one function.
; kernel: k
; step: parse
; CHECK: %i = call i64 @__acpp_sscp_get_local_id_x()
; CHECK: %j = call i64 @__acpp_sscp_get_local_id_x()
; CHECK-NOT: __hipsycl
; CHECK-NOT: local_id_x.
declare i64 @__hipsycl_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %p) {
  %i = call i64 @__hipsycl_sscp_get_local_id_x()
  %j = call i64 @__acpp_sscp_get_local_id_x()
  %s = add i64 %i, %j
  store i64 %s, ptr %p
  ret void
}
