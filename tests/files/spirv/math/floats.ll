; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpExtInstImport "OpenCL.std"
; CHECK: OpFAdd
; CHECK: OpFSub
; CHECK: OpFMul
; CHECK: OpFDiv
; CHECK: fmod
; CHECK: OpFNegate
; CHECK-NOT: OpFRem
; CHECK-NOT: FPFastMathMode
define void @k(ptr %p, ptr %q) {
  %a = load volatile <3 x float>, ptr %p
  %b = load volatile <3 x float>, ptr %q
  %r0 = fadd <3 x float> %a, %b
  store volatile <3 x float> %r0, ptr %q
  %r1 = fsub <3 x float> %a, %b
  store volatile <3 x float> %r1, ptr %q
  %r2 = fmul <3 x float> %a, %b
  store volatile <3 x float> %r2, ptr %q
  %r3 = fdiv <3 x float> %a, %b
  store volatile <3 x float> %r3, ptr %q
  %r4 = frem <3 x float> %a, %b
  store volatile <3 x float> %r4, ptr %q
  %n = fneg <3 x float> %a
  store volatile <3 x float> %n, ptr %q
  ret void
}
