; kernel: k
; target: ptx:sm_90
; CHECK: .func __assertfail
declare void @__assert_fail(ptr, ptr, i32, ptr)
@t = private constant [2 x i8] c"x\00"
define void @k(ptr %p, i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %bad, label %good
bad:
  call void @__assert_fail(ptr @t, ptr @t, i32 7, ptr @t)
  unreachable
good:
  store i32 1, ptr %p
  ret void
}
