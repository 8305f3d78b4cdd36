; Loads and stores of `bfloat` keep what says that work-items are independent: the pointers may alias.
; kernel: k
; target: x86-64-v3
; step: optimise
; CHECK: load i16, ptr
; CHECK: align 2, !alias.scope
; CHECK: , !llvm.access.group
; CHECK: fmul <8 x float>
; CHECK: store <8 x i16>
; CHECK: align 2, !llvm.access.group
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
define void @k(ptr %p, ptr %q, ptr %j) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %s = call i64 @__acpp_sscp_get_local_size_x()
  %m = mul i64 %g, %s
  %i = add i64 %m, %l
  %from = getelementptr i32, ptr %j, i64 %i
  %n = load i32, ptr %from
  %o = sext i32 %n to i64
  %x = getelementptr bfloat, ptr %p, i64 %o
  %y = getelementptr bfloat, ptr %q, i64 %i
  %a = load bfloat, ptr %x, !alias.scope !0
  %b = fmul bfloat %a, %a
  store bfloat %b, ptr %y
  ret void
}
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
