; Functions that are not merged share the limit with the kernel.
; kernel: k
; ERROR: 1200000 bytes of private memory per work-item
define void @k(ptr %p, i64 %i, i8 %v) {
  %a = alloca [600000 x i8]
  %slot = getelementptr i8, ptr %a, i64 %i
  store volatile i8 %v, ptr %slot
  %r = call i64 @f(i64 %i, i8 %v)
  store i64 %r, ptr %p
  ret void
}
define internal i64 @f(i64 %i, i8 %v) {
  %a = alloca [600000 x i8]
  %slot = getelementptr i8, ptr %a, i64 %i
  store volatile i8 %v, ptr %slot
  %stop = icmp eq i64 %i, 0
  br i1 %stop, label %done, label %more
more:
  %j = sub i64 %i, 1
  %r = call i64 @f(i64 %j, i8 %v)
  %s = mul i64 %r, %i
  br label %done
done:
  %t = phi i64 [ 1, %0 ], [ %s, %more ]
  ret i64 %t
}
