; kernel: k
; target: ptx:sm_90
; CHECK-NOT: atom
; CHECK-NOT: bra
define void @k(ptr %p, i64 %i, i8 %n) {
  %m = alloca [8 x i8]
  store i64 5, ptr %m
  %q = getelementptr i8, ptr %m, i64 %i
  %a = atomicrmw add ptr %q, i8 %n seq_cst
  %b = load i8, ptr %q
  %c = add i8 %a, %b
  store i8 %c, ptr %p
  ret void
}
