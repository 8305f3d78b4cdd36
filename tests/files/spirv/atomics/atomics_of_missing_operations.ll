; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpAtomicCompareExchange
; CHECK: OpAtomicCompareExchange
; CHECK: OpAtomicCompareExchange
; CHECK: OpAtomicCompareExchange
define void @k(ptr %p, i32 %v, i8 %b) {
  %r0 = atomicrmw nand ptr %p, i32 %v seq_cst
  store volatile i32 %r0, ptr %p
  %r1 = atomicrmw uinc_wrap ptr %p, i32 %v seq_cst
  store volatile i32 %r1, ptr %p
  %r2 = atomicrmw udec_wrap ptr %p, i32 %v seq_cst
  store volatile i32 %r2, ptr %p
  %x = atomicrmw add ptr %p, i8 %b monotonic
  store volatile i8 %x, ptr %p
  ret void
}
