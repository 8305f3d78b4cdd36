; kernel: k
; target: spirv:opencl:1.2
; no-optimise
; flush-denormals
; CHECK: OpCapability DenormFlushToZero
; CHECK: OpExtension "SPV_KHR_float_controls"
; CHECK: DenormFlushToZero 32
define void @k(ptr %p, ptr %q) {
  %a = load volatile float, ptr %p
  %b = load volatile float, ptr %q
  %r0 = fadd float %a, %b
  store volatile float %r0, ptr %q
  ret void
}
