; kernel: k
; target: ptx:sm_90
; CHECK: .global .align
; CHECK: ld.global.nc
@t = internal constant [4 x i32] [i32 9, i32 7, i32 5, i32 4]
define void @k(ptr %p, i64 %i) {
  %q = getelementptr i32, ptr @t, i64 %i
  %v = load i32, ptr %q
  store i32 %v, ptr %p
  ret void
}
