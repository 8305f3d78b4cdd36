; kernel: k
; target: spirv:opencl
; no-optimise
; flush-denormals
; CHECK: OpCapability DenormFlushToZero
; CHECK: OpExecutionMode %1 DenormFlushToZero 32
; CHECK-NOT: OpExtension
define void @k(ptr %p, ptr %q) {
  %a = load volatile float, ptr %p
  %b = load volatile float, ptr %q
  %r0 = fadd float %a, %b
  store volatile float %r0, ptr %q
  ret void
}
