; kernel: k
; target: ptx:sm_90
; CHECK-NOT: atom
define void @k(ptr %p, ptr byval([8 x i32]) align 4 %s, i32 %n) {
  %a = atomicrmw add ptr %s, i32 %n monotonic
  store i32 %a, ptr %p
  ret void
}
