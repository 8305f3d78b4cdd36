; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: %11 = OpIAdd
; CHECK: OpBitwiseOr
define void @k(ptr %p, ptr %q) {
  %a = load volatile i32, ptr %p
  %b = load volatile i32, ptr %q
  %r0 = or disjoint i32 %a, %b
  store volatile i32 %r0, ptr %q
  %c = load volatile i32, ptr %q
  %r1 = or i32 %a, %c
  store volatile i32 %r1, ptr %q
  ret void
}
