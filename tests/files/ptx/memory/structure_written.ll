; kernel: k
; target: ptx:sm_90
; CHECK: .local
define void @k(ptr %p, ptr byval([32 x i8]) align 16 %s, i64 %i) {
  %q = getelementptr i8, ptr %s, i64 %i
  store i8 1, ptr %q
  %v = load i64, ptr %s
  store i64 %v, ptr %p
  ret void
}
