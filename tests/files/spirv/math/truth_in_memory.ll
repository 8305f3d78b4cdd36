; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpLoad
; CHECK: OpBitwiseAnd
; CHECK: OpINotEqual
; CHECK: OpLogicalNotEqual
; CHECK: OpSelect
; CHECK: OpStore
; CHECK-NOT: OpTypeInt 1 0
define void @k(ptr %p, ptr %q) {
  %a = load volatile i1, ptr %p
  %b = xor i1 %a, true
  store volatile i1 %b, ptr %q
  %s = alloca i1
  store volatile i1 %b, ptr %s
  %v = load volatile <4 x i1>, ptr %p
  %w = extractelement <4 x i1> %v, i32 2
  store volatile i1 %w, ptr %q
  ret void
}
