; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpSLessThan
; CHECK: OpIEqual
; CHECK: OpUGreaterThan
; CHECK: OpLogicalAnd
; CHECK: OpLogicalOr
; CHECK: OpLogicalNotEqual
; CHECK: OpSelect
; CHECK-NOT: OpTypeInt 1 0
define void @k(ptr %p, ptr %q) {
  %x = load volatile i32, ptr %p
  %y = load volatile i32, ptr %q
  %z = load volatile i32, ptr %q
  %a = icmp slt i32 %x, %y
  %b = icmp eq i32 %y, %z
  %c = icmp ugt i32 %x, %z
  %d = and i1 %a, %b
  %e = or i1 %d, %c
  %f = xor i1 %e, %a
  %h = zext i1 %f to i32
  store volatile i32 %h, ptr %q
  %i = sext i1 %d to i32
  store volatile i32 %i, ptr %q
  ret void
}
