; kernel: k
; ERROR: IR for another kind of machine
target datalayout = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128"
define void @k(ptr %p) {
  store i64 1, ptr %p
  ret void
}
