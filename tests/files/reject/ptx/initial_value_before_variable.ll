; kernel: k
; target: ptx:sm_90
; ERROR: the initial value of `t`, that is computed from an address
@n = internal global [3 x i32] [i32 1, i32 2, i32 3]
@t = internal global ptr getelementptr (i8, ptr @n, i64 -4)
define void @k(ptr %p, i64 %x) {
  %b = load ptr, ptr @t
  store ptr %p, ptr @t
  %q = getelementptr i32, ptr %b, i64 %x
  %v = load i32, ptr %q
  store i32 %v, ptr %p
  ret void
}
