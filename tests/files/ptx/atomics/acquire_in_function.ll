; A function that acquires a flag may have made visible what others wrote: what was loaded before
; its call is loaded again.
; kernel: k
; target: ptx:sm_90
; CHECK: .entry k(
; CHECK: ld.global.u32
; CHECK: call.uni
; CHECK: ld.global.u32
; CHECK: sub.s32
define internal i32 @acquire(ptr %flag, i32 %n) {
  %f = load atomic i32, ptr %flag acquire, align 4
  %c = icmp eq i32 %n, %f
  br i1 %c, label %end, label %again
again:
  %m = add i32 %n, 1
  %next = getelementptr i32, ptr %flag, i32 %m
  %r = call i32 @acquire(ptr %next, i32 %m)
  %o = call i32 @acquire(ptr %flag, i32 %r)
  %s = xor i32 %r, %o
  ret i32 %s
end:
  ret i32 %f
}
define void @k(ptr %p, ptr %q, ptr %out, i32 %n) {
  %x = load i32, ptr %q
  %f = call i32 @acquire(ptr %p, i32 %n)
  %y = load i32, ptr %q
  %d = sub i32 %y, %x
  %e = getelementptr i32, ptr %out, i32 %f
  store i32 %d, ptr %e
  ret void
}
