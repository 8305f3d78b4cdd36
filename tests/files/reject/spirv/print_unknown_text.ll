; kernel: k
; target: spirv:opencl
; ERROR: `printf` of a string (`%s`) that is not a constant
; ERROR: print each string with a `printf` of its own
@format = private constant [4 x i8] c"%s\0A\00"
@yes = private constant [4 x i8] c"yes\00"
@no = private constant [3 x i8] c"no\00"
declare i32 @printf(ptr, ...)
define void @k(ptr %p, i1 %which) {
  %text = select i1 %which, ptr @yes, ptr @no
  %r = call i32 (ptr, ...) @printf(ptr @format, ptr %text)
  ret void
}
