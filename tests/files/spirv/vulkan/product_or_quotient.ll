; kernel: k
; target: spirv:vulkan:1.5
; no-optimise
; CHECK-NOT: OpBitwiseXor
define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %a, i64 %b, i32 %c, i32 %d) {
  %product = mul i64 %a, %b
  %quotient = udiv i64 %a, 5
  %sum = add i64 %product, %quotient
  store i64 %sum, ptr addrspace(1) %p, align 8
  %short = mul i32 %c, 7
  %part = udiv i32 %c, %d
  %shorts = add i32 %short, %part
  store i32 %shorts, ptr addrspace(1) %q, align 4
  ret void
}
