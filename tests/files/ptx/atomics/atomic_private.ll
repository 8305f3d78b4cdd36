; kernel: k
; target: ptx:sm_90
; CHECK-NOT: atom
define void @k(ptr %p, i64 %i) {
  %m = alloca [4 x i32]
  %q = getelementptr i32, ptr %m, i64 %i
  store i32 5, ptr %q
  %a = atomicrmw add ptr %q, i32 1 seq_cst
  %b = load i32, ptr %m
  %c = add i32 %a, %b
  store i32 %c, ptr %p
  ret void
}
