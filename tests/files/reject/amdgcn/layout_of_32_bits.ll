; kernel: k
; target: amdgpu:gfx90a
; ERROR: IR for another kind of machine
target datalayout = "e-m:e-p:32:32-i64:64-v128:64:128-a:0:32-n32-S64"
define void @k(ptr %p) {
  store i64 1, ptr %p
  ret void
}
