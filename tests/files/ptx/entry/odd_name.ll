; kernel: my kernel.1
; target: ptx:sm_90
; CHECK: .entry my_kernel_1(
define void @"my kernel.1"(ptr %p) {
  store i32 1, ptr %p
  ret void
}
