; Index queries are answered with integers and take nothing.
; kernel: k
; ERROR: a call of the query `__acpp_sscp_get_local_id_x` with another type than `iN ()`
declare i64 @__acpp_sscp_get_local_id_x(i32)
define void @k(ptr %p) {
  %i = call i64 @__acpp_sscp_get_local_id_x(i32 3)
  store i64 %i, ptr %p
  ret void
}
