; kernel: k
; target: spirv:opencl
; CHECK: OpConstant %3 63
; CHECK: ExtInst
; CHECK: ExtInst
declare void @__assert_fail(ptr, ptr, i32, ptr)
@file = private constant [4 x i8] c"a.c\00"
@other = private constant [4 x i8] c"b.c\00"
define void @k(ptr %text, i1 %c) {
  br i1 %c, label %a, label %b
a:
  call void @__assert_fail(ptr %text, ptr @file, i32 3, ptr @file)
  unreachable
b:
  call void @__assert_fail(ptr @file, ptr @other, i32 4, ptr @file)
  unreachable
}
