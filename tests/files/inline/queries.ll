; Functions that ask for an index are inlined in the kernel, noinline ones too; others wait for the cost model.
; kernel: k
; step: inline
; CHECK: define void @k
; CHECK: call i64 @__acpp_sscp_get_local_id_x()
; CHECK: call i64 @leaf
; CHECK: define internal i64 @leaf
; CHECK-NOT: @index
; CHECK-NOT: @outer
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %p) {
  call void @outer(ptr %p)
  ret void
}
define void @outer(ptr %p) noinline {
  %i = call i64 @index()
  %v = call i64 @leaf(i64 %i)
  store i64 %v, ptr %p
  ret void
}
define i64 @index() noinline {
  %i = call i64 @__acpp_sscp_get_local_id_x()
  ret i64 %i
}
define i64 @leaf(i64 %i) noinline {
  %v = mul i64 %i, 3
  ret i64 %v
}
