; kernel: k
; target: ptx:sm_90
; ERROR: IR for another kind of machine
target datalayout = "E-m:e-i64:64-n32:64-S128"
define void @k(ptr %p) {
  store i64 1, ptr %p
  ret void
}
