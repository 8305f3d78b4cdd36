; kernel: k
; target: ptx:sm_90
; CHECK-NOT: atom
define void @k(ptr %p, i1 %i, i32 %n, i64 %j) {
  %m = alloca [4 x i32]
  %l = alloca [4 x i32]
  store i32 %n, ptr %m
  store i32 1, ptr %l
  %b = select i1 %i, ptr %m, ptr %l
  %q = getelementptr i32, ptr %b, i64 %j
  %a = atomicrmw add ptr %q, i32 %n seq_cst
  %d = load i32, ptr %m
  %c = add i32 %a, %d
  store i32 %c, ptr %p
  ret void
}
