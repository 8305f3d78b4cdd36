; A known group size is a literal; the local id of a dimension of one is 0.
; kernel: k
; step: specialize
; group-size: 64,1,1
; CHECK: store volatile i64 64
; CHECK: store volatile i64 0
; CHECK-NOT: get_local_size_x
; CHECK-NOT: get_local_id_y
declare i64 @__acpp_sscp_get_local_size_x()
declare i64 @__acpp_sscp_get_local_id_y()
define void @k(ptr %p) {
  %s = call i64 @__acpp_sscp_get_local_size_x()
  store volatile i64 %s, ptr %p
  %y = call i64 @__acpp_sscp_get_local_id_y()
  store volatile i64 %y, ptr %p
  ret void
}
