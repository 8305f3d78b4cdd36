; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpTypeVector
; CHECK: OpIAdd
; CHECK: OpISub
; CHECK: OpIMul
; CHECK: OpUDiv
; CHECK: OpSDiv
; CHECK: OpUMod
; CHECK: OpSRem
; CHECK: OpShiftLeftLogical
; CHECK: OpShiftRightLogical
; CHECK: OpShiftRightArithmetic
; CHECK: OpBitwiseAnd
; CHECK: OpBitwiseOr
; CHECK: OpBitwiseXor
define void @k(ptr %p, ptr %q) {
  %a = load volatile <4 x i16>, ptr %p
  %b = load volatile <4 x i16>, ptr %q
  %r0 = add <4 x i16> %a, %b
  store volatile <4 x i16> %r0, ptr %q
  %r1 = sub <4 x i16> %a, %b
  store volatile <4 x i16> %r1, ptr %q
  %r2 = mul <4 x i16> %a, %b
  store volatile <4 x i16> %r2, ptr %q
  %r3 = udiv <4 x i16> %a, %b
  store volatile <4 x i16> %r3, ptr %q
  %r4 = sdiv <4 x i16> %a, %b
  store volatile <4 x i16> %r4, ptr %q
  %r5 = urem <4 x i16> %a, %b
  store volatile <4 x i16> %r5, ptr %q
  %r6 = srem <4 x i16> %a, %b
  store volatile <4 x i16> %r6, ptr %q
  %r7 = shl <4 x i16> %a, %b
  store volatile <4 x i16> %r7, ptr %q
  %r8 = lshr <4 x i16> %a, %b
  store volatile <4 x i16> %r8, ptr %q
  %r9 = ashr <4 x i16> %a, %b
  store volatile <4 x i16> %r9, ptr %q
  %r10 = and <4 x i16> %a, %b
  store volatile <4 x i16> %r10, ptr %q
  %r11 = or <4 x i16> %a, %b
  store volatile <4 x i16> %r11, ptr %q
  %r12 = xor <4 x i16> %a, %b
  store volatile <4 x i16> %r12, ptr %q
  ret void
}
