; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: %6 = OpConstant %5 1
; CHECK: %7 = OpConstant %5 776
; CHECK: OpMemoryBarrier %6 %7
define void @k(ptr %p) {
  fence syncscope("device") acq_rel
  ret void
}
