; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: %10 = OpConstant %9 3
; CHECK: OpAtomicIAdd %11 %15 %10 %13
define void @k(ptr %p) {
  %r = atomicrmw add ptr %p, i64 77 syncscope("subgroup") monotonic
  store volatile i64 %r, ptr %p
  ret void
}
