; kernel: k
; target: spirv:opencl
; CHECK: OpTypeArray %3 %18
; CHECK: OpVariable %20 UniformConstant %36
; CHECK: ExtInst
; CHECK: OpStore
; CHECK: ExtInst
; CHECK: ExtInst
@format = private constant [23 x i8] c"%s: %d of %zu, %5.2Lf\0A\00"
@name = private constant [4 x i8] c"sum\00"
declare i32 @printf(ptr, ...)
declare i32 @puts(ptr)
declare i32 @putchar(i32)
define void @k(ptr %p, i32 %n, i64 %m, float %x) {
  %d = fpext float %x to double
  %r = call i32 (ptr, ...) @printf(ptr @format, ptr @name, i32 %n, i64 %m, double %d)
  store i32 %r, ptr %p
  %s = call i32 @puts(ptr @name)
  %t = call i32 @putchar(i32 10)
  ret void
}
