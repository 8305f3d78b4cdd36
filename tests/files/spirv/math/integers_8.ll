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
  %a = load volatile i8, ptr %p
  %b = load volatile i8, ptr %q
  %r0 = add i8 %a, %b
  store volatile i8 %r0, ptr %q
  %r1 = sub i8 %a, %b
  store volatile i8 %r1, ptr %q
  %r2 = mul i8 %a, %b
  store volatile i8 %r2, ptr %q
  %r3 = udiv i8 %a, %b
  store volatile i8 %r3, ptr %q
  %r4 = sdiv i8 %a, %b
  store volatile i8 %r4, ptr %q
  %r5 = urem i8 %a, %b
  store volatile i8 %r5, ptr %q
  %r6 = srem i8 %a, %b
  store volatile i8 %r6, ptr %q
  %r7 = shl i8 %a, %b
  store volatile i8 %r7, ptr %q
  %r8 = lshr i8 %a, %b
  store volatile i8 %r8, ptr %q
  %r9 = ashr i8 %a, %b
  store volatile i8 %r9, ptr %q
  %r10 = and i8 %a, %b
  store volatile i8 %r10, ptr %q
  %r11 = or i8 %a, %b
  store volatile i8 %r11, ptr %q
  %r12 = xor i8 %a, %b
  store volatile i8 %r12, ptr %q
  ret void
}
