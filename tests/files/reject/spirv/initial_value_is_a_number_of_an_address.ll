; kernel: k
; target: spirv:opencl
; ERROR: the initial value of `t`, that is computed from an address
@m = internal global i32 5
@t = internal constant [2 x i64] [i64 ptrtoint (ptr @m to i64), i64 3]
define void @k(ptr %p, i64 %i) {
  %a = getelementptr i64, ptr @t, i64 %i
  %v = load i64, ptr %a
  store i64 %v, ptr %p
  ret void
}
