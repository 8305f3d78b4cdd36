; kernel: k
; target: ptx:sm_90
; CHECK: vprintf
declare i32 @putchar(i32)
define void @k(ptr %p) {
  %r = call i32 @putchar(i32 10)
  store i32 %r, ptr %p
  ret void
}
