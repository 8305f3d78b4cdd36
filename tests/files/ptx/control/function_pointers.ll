; kernel: k
; target: ptx:sm_90
; CHECK: .callprototype
@t = internal constant [2 x ptr] [ptr @f, ptr @g]
define internal i32 @f(i32 %x) {
  ret i32 %x
}
define internal i32 @g(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
define void @k(ptr %p, i64 %i, i32 %n) {
  %q = getelementptr ptr, ptr @t, i64 %i
  %f = load ptr, ptr %q
  %r = call i32 %f(i32 %n)
  store i32 %r, ptr %p
  ret void
}
