; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: %10 = OpConstant %9 1
; CHECK: OpAtomicIAdd %11 %15 %10 %13
define void @k(ptr %p) {
  %r = atomicrmw add ptr %p, i64 77 syncscope("device") monotonic
  store volatile i64 %r, ptr %p
  ret void
}
