; kernel: k
; target: spirv:opencl
; ERROR: the initial value of `t`
define internal i32 @f() {
  ret i32 1
}
@t = internal constant [2 x ptr] [ptr @f, ptr null]
define void @k(ptr %p, i64 %i) {
  %a = getelementptr ptr, ptr @t, i64 %i
  %v = load ptr, ptr %a
  store ptr %v, ptr %p
  ret void
}
