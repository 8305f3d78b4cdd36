; kernel: k
; target: spirv:vulkan:1.5
; no-optimise
; CHECK: OpIMul
; CHECK: OpBitwiseXor
; CHECK: OpIAdd
define void @k(ptr addrspace(1) %p, i64 %a) {
  %product = mul i64 %a, 7
  %quotient = udiv i64 %a, 5
  %sum = add i64 %product, %quotient
  store i64 %sum, ptr addrspace(1) %p, align 8
  ret void
}
