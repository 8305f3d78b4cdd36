; Index queries are answered with integers and take nothing.
; kernel: k
; ERROR: a call of the query `__acpp_sscp_get_local_id_x` with another type than `iN ()`
declare void @__acpp_sscp_get_local_id_x()
define void @k(ptr %p) {
  call void @__acpp_sscp_get_local_id_x()
  ret void
}
