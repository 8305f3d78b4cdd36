; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: %10 = OpConstant %9 0
; CHECK: OpAtomicIAdd %11 %14 %10 %10
define void @k(ptr %p) {
  %r = atomicrmw add ptr %p, i64 77 monotonic
  store volatile i64 %r, ptr %p
  ret void
}
