; The rest of a loop has a counter that is a phi. A loop that ends by a number from memory has none,
; and is left as it is.
; kernel: until
; target: ptx:sm_90
; CHECK: ld.volatile
; CHECK: bra
define void @until(ptr %from, ptr %to, i64 %n) {
entry:
  %end = and i64 %n, 3
  br label %loop
loop:
  %read = load volatile i64, ptr %from
  %next = add i64 %read, 1
  store volatile i64 %next, ptr %to
  %done = icmp eq i64 %next, %end
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
