; kernel: k
; target: spirv:opencl
; CHECK: OpConstant %3 233
; CHECK: OpConstant %3 10
; CHECK-NOT: OpConstant %3 97
@text = private constant [5 x i8] c"ab\E9\0A\00"
declare i32 @printf(ptr, ...)
define void @k(ptr %p) {
  %r = call i32 (ptr, ...) @printf(ptr getelementptr inbounds (i8, ptr @text, i64 2))
  store i32 %r, ptr %p
  ret void
}
