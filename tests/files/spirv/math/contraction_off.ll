; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpExecutionMode %1 ContractionOff
define void @k(ptr %p, ptr %q) {
  %a = load volatile float, ptr %p
  %b = load volatile float, ptr %q
  %r0 = fmul contract float %a, %b
  store volatile float %r0, ptr %q
  %r1 = fadd float %r0, %b
  store volatile float %r1, ptr %q
  ret void
}
