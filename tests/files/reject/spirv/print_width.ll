; kernel: k
; target: spirv:opencl
; ERROR: `printf` with `%*d`, whose width is an argument
@format = private constant [5 x i8] c"%*d\0A\00"
declare i32 @printf(ptr, ...)
define void @k(i32 %n) {
  %r = call i32 (ptr, ...) @printf(ptr @format, i32 %n, i32 %n)
  ret void
}
