; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpCapability Int64Atomics
; CHECK: OpAtomicCompareExchange
; CHECK: OpIEqual
; CHECK: OpAtomicCompareExchange
define void @k(ptr %p, i32 %a, i32 %b, i64 %c) {
  %x = cmpxchg ptr %p, i32 %a, i32 %b syncscope("workgroup") acq_rel monotonic
  %y = extractvalue { i32, i1 } %x, 0
  %z = extractvalue { i32, i1 } %x, 1
  store volatile i32 %y, ptr %p
  store volatile i1 %z, ptr %p
  %w = cmpxchg weak ptr %p, i64 %c, i64 0 seq_cst seq_cst
  %v = extractvalue { i64, i1 } %w, 0
  store volatile i64 %v, ptr %p
  ret void
}
