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
declare <4 x half> @llvm.fabs.v4f16(<4 x half>)
declare <4 x half> @llvm.floor.v4f16(<4 x half>)
declare <4 x half> @llvm.ceil.v4f16(<4 x half>)
declare <4 x half> @llvm.trunc.v4f16(<4 x half>)
declare <4 x half> @llvm.rint.v4f16(<4 x half>)
declare <4 x half> @llvm.roundeven.v4f16(<4 x half>)
declare <4 x half> @llvm.round.v4f16(<4 x half>)
declare <4 x half> @llvm.sqrt.v4f16(<4 x half>)
declare <4 x half> @llvm.fma.v4f16(<4 x half>, <4 x half>, <4 x half>)
declare <4 x half> @llvm.fmuladd.v4f16(<4 x half>, <4 x half>, <4 x half>)
declare <4 x half> @llvm.minnum.v4f16(<4 x half>, <4 x half>)
declare <4 x half> @llvm.maxnum.v4f16(<4 x half>, <4 x half>)
declare <4 x half> @llvm.copysign.v4f16(<4 x half>, <4 x half>)
define void @k(ptr %p, ptr %q) {
  %a = load volatile <4 x half>, ptr %p
  %b = load volatile <4 x half>, ptr %q
  %c = load volatile <4 x half>, ptr %q
  %r0 = call <4 x half> @llvm.fabs.v4f16(<4 x half> %a)
  store volatile <4 x half> %r0, ptr %q
  %r1 = call <4 x half> @llvm.floor.v4f16(<4 x half> %a)
  store volatile <4 x half> %r1, ptr %q
  %r2 = call <4 x half> @llvm.ceil.v4f16(<4 x half> %a)
  store volatile <4 x half> %r2, ptr %q
  %r3 = call <4 x half> @llvm.trunc.v4f16(<4 x half> %a)
  store volatile <4 x half> %r3, ptr %q
  %r4 = call <4 x half> @llvm.rint.v4f16(<4 x half> %a)
  store volatile <4 x half> %r4, ptr %q
  %r5 = call <4 x half> @llvm.roundeven.v4f16(<4 x half> %a)
  store volatile <4 x half> %r5, ptr %q
  %r6 = call <4 x half> @llvm.round.v4f16(<4 x half> %a)
  store volatile <4 x half> %r6, ptr %q
  %r7 = call <4 x half> @llvm.sqrt.v4f16(<4 x half> %a)
  store volatile <4 x half> %r7, ptr %q
  %r8 = call <4 x half> @llvm.fma.v4f16(<4 x half> %a, <4 x half> %b, <4 x half> %c)
  store volatile <4 x half> %r8, ptr %q
  %r9 = call <4 x half> @llvm.fmuladd.v4f16(<4 x half> %a, <4 x half> %b, <4 x half> %c)
  store volatile <4 x half> %r9, ptr %q
  %r10 = call <4 x half> @llvm.minnum.v4f16(<4 x half> %a, <4 x half> %b)
  store volatile <4 x half> %r10, ptr %q
  %r11 = call <4 x half> @llvm.maxnum.v4f16(<4 x half> %a, <4 x half> %b)
  store volatile <4 x half> %r11, ptr %q
  %r12 = call <4 x half> @llvm.copysign.v4f16(<4 x half> %a, <4 x half> %b)
  store volatile <4 x half> %r12, ptr %q
  ret void
}
