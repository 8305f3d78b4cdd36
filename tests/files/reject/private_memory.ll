; kernel: k
; ERROR: 4194304 bytes of private memory per work-item
define void @k(ptr %p, i64 %i, i64 %j, i32 %v) {
  %a = alloca [1048576 x i32]
  %slot = getelementptr i32, ptr %a, i64 %i
  store i32 %v, ptr %slot
  %other = getelementptr i32, ptr %a, i64 %j
  %w = load i32, ptr %other
  store i32 %w, ptr %p
  ret void
}
