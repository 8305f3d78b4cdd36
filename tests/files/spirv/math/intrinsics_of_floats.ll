; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpExtInst
; CHECK: fabs
; CHECK: OpExtInst
; CHECK: floor
; CHECK: OpExtInst
; CHECK: ceil
; CHECK: OpExtInst
; CHECK: trunc
; CHECK: OpExtInst
; CHECK: rint
; CHECK: OpExtInst
; CHECK: rint
; CHECK: OpExtInst
; CHECK: round
; CHECK: OpExtInst
; CHECK: sqrt
; CHECK: OpExtInst
; CHECK: fma
; CHECK: OpExtInst
; CHECK: mad
; CHECK: OpExtInst
; CHECK: fmin
; CHECK: OpExtInst
; CHECK: fmax
; CHECK: OpExtInst
; CHECK: copysign
declare float @llvm.fabs.f32(float)
declare float @llvm.floor.f32(float)
declare float @llvm.ceil.f32(float)
declare float @llvm.trunc.f32(float)
declare float @llvm.rint.f32(float)
declare float @llvm.roundeven.f32(float)
declare float @llvm.round.f32(float)
declare float @llvm.sqrt.f32(float)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.fmuladd.f32(float, float, float)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.copysign.f32(float, float)
define void @k(ptr %p, ptr %q) {
  %a = load volatile float, ptr %p
  %b = load volatile float, ptr %q
  %c = load volatile float, ptr %q
  %r0 = call float @llvm.fabs.f32(float %a)
  store volatile float %r0, ptr %q
  %r1 = call float @llvm.floor.f32(float %a)
  store volatile float %r1, ptr %q
  %r2 = call float @llvm.ceil.f32(float %a)
  store volatile float %r2, ptr %q
  %r3 = call float @llvm.trunc.f32(float %a)
  store volatile float %r3, ptr %q
  %r4 = call float @llvm.rint.f32(float %a)
  store volatile float %r4, ptr %q
  %r5 = call float @llvm.roundeven.f32(float %a)
  store volatile float %r5, ptr %q
  %r6 = call float @llvm.round.f32(float %a)
  store volatile float %r6, ptr %q
  %r7 = call float @llvm.sqrt.f32(float %a)
  store volatile float %r7, ptr %q
  %r8 = call float @llvm.fma.f32(float %a, float %b, float %c)
  store volatile float %r8, ptr %q
  %r9 = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
  store volatile float %r9, ptr %q
  %r10 = call float @llvm.minnum.f32(float %a, float %b)
  store volatile float %r10, ptr %q
  %r11 = call float @llvm.maxnum.f32(float %a, float %b)
  store volatile float %r11, ptr %q
  %r12 = call float @llvm.copysign.f32(float %a, float %b)
  store volatile float %r12, ptr %q
  ret void
}
