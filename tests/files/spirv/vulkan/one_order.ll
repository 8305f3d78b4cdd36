; kernel: k
; target: spirv:vulkan:1.5
; no-optimise
; CHECK-NOT: OpBitwiseXor
; CHECK: OpSLessThan
; CHECK-NOT: OpBitwiseXor
define void @k(ptr addrspace(1) %p, i32 %a, i32 %b) {
  %less = icmp slt i32 %a, %b
  %x = sext i1 %less to i32
  store i32 %x, ptr addrspace(1) %p, align 4
  ret void
}
