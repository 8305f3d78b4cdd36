; kernel: k
; target: spirv:opencl:-atomic-add-f32:-atomic-min-max-f64
; no-optimise
; CHECK: OpAtomicCompareExchange
; CHECK: OpAtomicCompareExchange
; CHECK-NOT: OpAtomicF
; CHECK-NOT: OpExtension
define void @k(ptr %p, float %v, double %w) {
  %a = atomicrmw fadd ptr %p, float %v monotonic
  store volatile float %a, ptr %p
  %b = atomicrmw fmax ptr %p, double %w monotonic
  store volatile double %b, ptr %p
  ret void
}
