; Recursive functions stay calls.
; kernel: k
; step: inline
; CHECK: define void @k
; CHECK: call i32 @factorial
; CHECK: define internal i32 @factorial
define void @k(ptr %p) {
  %n = load i32, ptr %p
  %r = call i32 @factorial(i32 %n)
  store i32 %r, ptr %p
  ret void
}
define i32 @factorial(i32 %n) {
  %stop = icmp slt i32 %n, 2
  br i1 %stop, label %one, label %more
one:
  ret i32 1
more:
  %m = sub i32 %n, 1
  %f = call i32 @factorial(i32 %m)
  %r = mul i32 %n, %f
  ret i32 %r
}
