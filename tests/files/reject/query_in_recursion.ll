; kernel: k
; ERROR: in a function that cannot be inlined into the kernel
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %p) {
  %n = load i64, ptr %p
  %r = call i64 @walk(i64 %n)
  store i64 %r, ptr %p
  ret void
}
define i64 @walk(i64 %n) {
  %stop = icmp slt i64 %n, 2
  br i1 %stop, label %one, label %more
one:
  %i = call i64 @__acpp_sscp_get_local_id_x()
  ret i64 %i
more:
  %m = sub i64 %n, 1
  %f = call i64 @walk(i64 %m)
  %r = mul i64 %n, %f
  ret i64 %r
}
