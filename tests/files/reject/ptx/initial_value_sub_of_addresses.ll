; kernel: k
; target: ptx:sm_90
; ERROR: the initial value of `t`, that is computed from an address
@a = internal global i32 3
@b = internal global i32 4
@t = internal global [2 x i64] [i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64)), i64 7]
define void @k(ptr %p, i64 %i) {
  %q = getelementptr i64, ptr @t, i64 %i
  %v = load i64, ptr %q
  store i64 %v, ptr @t
  store i64 %v, ptr %p
  ret void
}
