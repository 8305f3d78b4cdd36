; kernel: k
; target: ptx:sm_90
; CHECK: .extern .func (.param .b32 func_retval0) vprintf
; CHECK: st.local.u32
; CHECK: st.local.f64
@format = private constant [7 x i8] c"%d %f\0A\00"
declare i32 @printf(ptr, ...)
define void @k(i32 %n, double %d) {
  %r = call i32 (ptr, ...) @printf(ptr @format, i32 %n, double %d)
  ret void
}
