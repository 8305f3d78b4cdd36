; kernel: k
; target: ptx:sm_90
; CHECK: .extern .func (.param .b32 func_retval0) vprintf
@format = private constant [7 x i8] c"%d %f\0A\00"
declare i32 @printf(ptr, ...)
define i32 @vprintf(i32 %a) noinline {
  ret i32 %a
}
define void @k(ptr %p, i32 %n, double %d) {
  %r = call i32 (ptr, ...) @printf(ptr @format, i32 %n, double %d)
  %s = call i32 @vprintf(i32 %n)
  store i32 %s, ptr %p
  ret void
}
