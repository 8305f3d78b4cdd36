; kernel: k
; target: spirv:opencl
; no-optimise
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
; CHECK-NOT: OpCapability Int64Atomics
define void @k(ptr %p, i32 %v) {
  %r0 = atomicrmw xchg ptr %p, i32 %v monotonic
  store volatile i32 %r0, ptr %p
  %r1 = atomicrmw add ptr %p, i32 %v monotonic
  store volatile i32 %r1, ptr %p
  %r2 = atomicrmw sub ptr %p, i32 %v monotonic
  store volatile i32 %r2, ptr %p
  %r3 = atomicrmw and ptr %p, i32 %v monotonic
  store volatile i32 %r3, ptr %p
  %r4 = atomicrmw or ptr %p, i32 %v monotonic
  store volatile i32 %r4, ptr %p
  %r5 = atomicrmw xor ptr %p, i32 %v monotonic
  store volatile i32 %r5, ptr %p
  %r6 = atomicrmw max ptr %p, i32 %v monotonic
  store volatile i32 %r6, ptr %p
  %r7 = atomicrmw min ptr %p, i32 %v monotonic
  store volatile i32 %r7, ptr %p
  %r8 = atomicrmw umax ptr %p, i32 %v monotonic
  store volatile i32 %r8, ptr %p
  %r9 = atomicrmw umin ptr %p, i32 %v monotonic
  store volatile i32 %r9, ptr %p
  ret void
}
