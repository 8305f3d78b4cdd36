; Arithmetic on `bfloat` is replaced before the loop vectoriser runs.
; kernel: k
; target: x86-64-v3
; CHECK: vmulps
; CHECK-NOT: __truncsfbf2
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
define void @k(ptr noalias %p, ptr noalias %q) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %s = call i64 @__acpp_sscp_get_local_size_x()
  %m = mul i64 %g, %s
  %i = add i64 %m, %l
  %x = getelementptr bfloat, ptr %p, i64 %i
  %y = getelementptr bfloat, ptr %q, i64 %i
  %a = load bfloat, ptr %x
  %b = fmul bfloat %a, %a
  store bfloat %b, ptr %y
  ret void
}
