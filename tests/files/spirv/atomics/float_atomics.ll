; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpExtension "SPV_EXT_shader_atomic_float_add"
; CHECK: OpExtension "SPV_EXT_shader_atomic_float_min_max"
; CHECK: OpAtomicFAddEXT
; CHECK: OpAtomicFMaxEXT
; CHECK: OpAtomicFAddEXT
; CHECK-NOT: AtomicFloat64AddEXT
; CHECK-NOT: AtomicFloat32MinMaxEXT
define void @k(ptr %p, float %v, double %w) {
  %a = atomicrmw fadd ptr %p, float %v monotonic
  store volatile float %a, ptr %p
  %b = atomicrmw fmax ptr %p, double %w monotonic
  store volatile double %b, ptr %p
  %c = atomicrmw fsub ptr %p, float %v monotonic
  store volatile float %c, ptr %p
  ret void
}
