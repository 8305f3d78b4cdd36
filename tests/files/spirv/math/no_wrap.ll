; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: %11 = OpIAdd
; CHECK: %12 = OpIMul
; CHECK: %13 = OpISub
; CHECK: %14 = OpShiftLeftLogical
; CHECK-NOT: Wrap
define void @k(ptr %p, ptr %q) {
  %a = load volatile i32, ptr %p
  %b = load volatile i32, ptr %q
  %r0 = add nsw i32 %a, %b
  store volatile i32 %r0, ptr %q
  %r1 = mul nuw i32 %a, %b
  store volatile i32 %r1, ptr %q
  %r2 = sub nsw nuw i32 %a, %b
  store volatile i32 %r2, ptr %q
  %r3 = shl nuw i32 %a, %b
  store volatile i32 %r3, ptr %q
  %r4 = and i32 %a, %b
  store volatile i32 %r4, ptr %q
  ret void
}
