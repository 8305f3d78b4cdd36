; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpCapability Int64Atomics
; CHECK: OpAtomicExchange
; CHECK: OpAtomicIAdd
; CHECK: OpAtomicISub
; CHECK: OpAtomicAnd
; CHECK: OpAtomicOr
; CHECK: OpAtomicXor
; CHECK: OpAtomicSMax
; CHECK: OpAtomicSMin
; CHECK: OpAtomicUMax
; CHECK: OpAtomicUMin
define void @k(ptr %p, i64 %v) {
  %r0 = atomicrmw xchg ptr %p, i64 %v monotonic
  store volatile i64 %r0, ptr %p
  %r1 = atomicrmw add ptr %p, i64 %v monotonic
  store volatile i64 %r1, ptr %p
  %r2 = atomicrmw sub ptr %p, i64 %v monotonic
  store volatile i64 %r2, ptr %p
  %r3 = atomicrmw and ptr %p, i64 %v monotonic
  store volatile i64 %r3, ptr %p
  %r4 = atomicrmw or ptr %p, i64 %v monotonic
  store volatile i64 %r4, ptr %p
  %r5 = atomicrmw xor ptr %p, i64 %v monotonic
  store volatile i64 %r5, ptr %p
  %r6 = atomicrmw max ptr %p, i64 %v monotonic
  store volatile i64 %r6, ptr %p
  %r7 = atomicrmw min ptr %p, i64 %v monotonic
  store volatile i64 %r7, ptr %p
  %r8 = atomicrmw umax ptr %p, i64 %v monotonic
  store volatile i64 %r8, ptr %p
  %r9 = atomicrmw umin ptr %p, i64 %v monotonic
  store volatile i64 %r9, ptr %p
  ret void
}
