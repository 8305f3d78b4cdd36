; kernel: k
; target: spirv:opencl
; ERROR: the initial value of `t`
@t = internal constant [2 x ptr] [ptr inttoptr (i64 77 to ptr), ptr null]
define void @k(ptr %p, i64 %i) {
  %a = getelementptr ptr, ptr @t, i64 %i
  %v = load ptr, ptr %a
  store ptr %v, ptr %p
  ret void
}
