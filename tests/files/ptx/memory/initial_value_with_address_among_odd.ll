; kernel: k
; target: ptx:sm_90
; CHECK: .u64 o[2] = {3, generic(a)
@a = internal global i32 5
@o = internal constant {i24, ptr} {i24 3, ptr @a}
define void @k(ptr %p, i64 %x) {
  %q = getelementptr i8, ptr @o, i64 %x
  %v = load ptr, ptr %q
  store ptr %v, ptr %p
  ret void
}
