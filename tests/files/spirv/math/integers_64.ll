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
  %a = load volatile i64, ptr %p
  %b = load volatile i64, ptr %q
  %r0 = add i64 %a, %b
  store volatile i64 %r0, ptr %q
  %r1 = sub i64 %a, %b
  store volatile i64 %r1, ptr %q
  %r2 = mul i64 %a, %b
  store volatile i64 %r2, ptr %q
  %r3 = udiv i64 %a, %b
  store volatile i64 %r3, ptr %q
  %r4 = sdiv i64 %a, %b
  store volatile i64 %r4, ptr %q
  %r5 = urem i64 %a, %b
  store volatile i64 %r5, ptr %q
  %r6 = srem i64 %a, %b
  store volatile i64 %r6, ptr %q
  %r7 = shl i64 %a, %b
  store volatile i64 %r7, ptr %q
  %r8 = lshr i64 %a, %b
  store volatile i64 %r8, ptr %q
  %r9 = ashr i64 %a, %b
  store volatile i64 %r9, ptr %q
  %r10 = and i64 %a, %b
  store volatile i64 %r10, ptr %q
  %r11 = or i64 %a, %b
  store volatile i64 %r11, ptr %q
  %r12 = xor i64 %a, %b
  store volatile i64 %r12, ptr %q
  ret void
}
