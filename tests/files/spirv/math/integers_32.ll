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
  %a = load volatile i32, ptr %p
  %b = load volatile i32, ptr %q
  %r0 = add i32 %a, %b
  store volatile i32 %r0, ptr %q
  %r1 = sub i32 %a, %b
  store volatile i32 %r1, ptr %q
  %r2 = mul i32 %a, %b
  store volatile i32 %r2, ptr %q
  %r3 = udiv i32 %a, %b
  store volatile i32 %r3, ptr %q
  %r4 = sdiv i32 %a, %b
  store volatile i32 %r4, ptr %q
  %r5 = urem i32 %a, %b
  store volatile i32 %r5, ptr %q
  %r6 = srem i32 %a, %b
  store volatile i32 %r6, ptr %q
  %r7 = shl i32 %a, %b
  store volatile i32 %r7, ptr %q
  %r8 = lshr i32 %a, %b
  store volatile i32 %r8, ptr %q
  %r9 = ashr i32 %a, %b
  store volatile i32 %r9, ptr %q
  %r10 = and i32 %a, %b
  store volatile i32 %r10, ptr %q
  %r11 = or i32 %a, %b
  store volatile i32 %r11, ptr %q
  %r12 = xor i32 %a, %b
  store volatile i32 %r12, ptr %q
  ret void
}
