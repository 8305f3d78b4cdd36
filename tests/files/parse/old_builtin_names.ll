; Builtins of older containers are renamed.
; kernel: k
; step: parse
; CHECK: call i64 @__acpp_sscp_get_local_id_x()
; CHECK-NOT: __hipsycl
declare i64 @__hipsycl_sscp_get_local_id_x()
define void @k(ptr %p) {
  %i = call i64 @__hipsycl_sscp_get_local_id_x()
  store i64 %i, ptr %p
  ret void
}
