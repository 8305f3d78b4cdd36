; kernel: k
; target: spirv:opencl
; no-optimise
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
  %a = load volatile i16, ptr %p
  %b = load volatile i16, ptr %q
  %r0 = add i16 %a, %b
  store volatile i16 %r0, ptr %q
  %r1 = sub i16 %a, %b
  store volatile i16 %r1, ptr %q
  %r2 = mul i16 %a, %b
  store volatile i16 %r2, ptr %q
  %r3 = udiv i16 %a, %b
  store volatile i16 %r3, ptr %q
  %r4 = sdiv i16 %a, %b
  store volatile i16 %r4, ptr %q
  %r5 = urem i16 %a, %b
  store volatile i16 %r5, ptr %q
  %r6 = srem i16 %a, %b
  store volatile i16 %r6, ptr %q
  %r7 = shl i16 %a, %b
  store volatile i16 %r7, ptr %q
  %r8 = lshr i16 %a, %b
  store volatile i16 %r8, ptr %q
  %r9 = ashr i16 %a, %b
  store volatile i16 %r9, ptr %q
  %r10 = and i16 %a, %b
  store volatile i16 %r10, ptr %q
  %r11 = or i16 %a, %b
  store volatile i16 %r11, ptr %q
  %r12 = xor i16 %a, %b
  store volatile i16 %r12, ptr %q
  ret void
}
