; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpSLessThan
; CHECK: OpIEqual
; CHECK: OpUGreaterThan
; CHECK: OpLogicalAnd
; CHECK: OpLogicalOr
; CHECK: OpSelect
; CHECK: OpSelect
; CHECK-NOT: OpLogicalNot
define void @k(ptr %p, ptr %q) {
  %x = load volatile <4 x i32>, ptr %p
  %y = load volatile <4 x i32>, ptr %q
  %z = load volatile <4 x i32>, ptr %q
  %a = icmp slt <4 x i32> %x, %y
  %b = icmp eq <4 x i32> %y, %z
  %c = icmp ugt <4 x i32> %x, %z
  %d = and <4 x i1> %a, %b
  %e = or <4 x i1> %d, %c
  %f = xor <4 x i1> %e, %a
  %h = zext <4 x i1> %f to <4 x i32>
  store volatile <4 x i32> %h, ptr %q
  %i = sext <4 x i1> %d to <4 x i32>
  store volatile <4 x i32> %i, ptr %q
  ret void
}
