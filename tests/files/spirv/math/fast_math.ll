; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: FPFastMathMode NotNaN|NotInf|NSZ|AllowRecip|Fast
; CHECK: FPFastMathMode NotNaN|NSZ
; CHECK: FPFastMathMode NotInf|AllowRecip
; CHECK: OpFAdd
define void @k(ptr %p, ptr %q) {
  %a = load volatile float, ptr %p
  %b = load volatile float, ptr %q
  %r0 = fadd fast float %a, %b
  store volatile float %r0, ptr %q
  %r1 = fmul nnan nsz float %a, %b
  store volatile float %r1, ptr %q
  %r2 = fdiv arcp ninf float %a, %b
  store volatile float %r2, ptr %q
  %r3 = fsub contract float %a, %b
  store volatile float %r3, ptr %q
  ret void
}
declare float @llvm.sqrt.f32(float)
