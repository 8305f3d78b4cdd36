; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: %6 = OpConstant %5 1
; CHECK: %7 = OpConstant %5 784
; CHECK: OpMemoryBarrier %6 %7
define void @k(ptr %p) {
  fence syncscope("device") seq_cst
  ret void
}
