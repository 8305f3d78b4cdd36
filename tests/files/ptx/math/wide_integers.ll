; kernel: k
; target: ptx:sm_90
; CHECK: mul.hi.u64
define void @k(ptr %p) {
  %a = load i128, ptr %p
  %m = mul i128 %a, %a
  %d = udiv i128 %m, 12345678901234567890123
  store i128 %d, ptr %p
  ret void
}
