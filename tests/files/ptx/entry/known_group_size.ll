; kernel: k
; target: ptx:sm_90
; group-size: 128,2,1
; CHECK: .reqntid 128, 2, 1
; CHECK-NOT: %ntid
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
define void @k(ptr %p) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %z = call i64 @__acpp_sscp_get_local_size_x()
  %m = mul i64 %g, %z
  %i = add i64 %m, %l
  store i64 %i, ptr %p
  ret void
}
