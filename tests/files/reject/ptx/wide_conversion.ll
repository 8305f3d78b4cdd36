; kernel: k
; target: ptx:sm_90
; ERROR: integers of more than 128 bits
define void @k(ptr %p) {
  %a = load i256, ptr %p
  %b = sitofp i256 %a to double
  store double %b, ptr %p
  ret void
}
