; Two orders of the same numbers: the second one gets a zero that drivers cannot know, so that they
; do not make one comparison of three results of both.
; kernel: k
; target: spirv:vulkan:1.5
; no-optimise
; CHECK: OpSLessThan
; CHECK: OpBitwiseXor
; CHECK: OpSGreaterThan
define void @k(ptr addrspace(1) %p, i32 %a, i32 %b) {
  %less = icmp slt i32 %a, %b
  %greater = icmp sgt i32 %a, %b
  %x = sext i1 %less to i32
  %y = zext i1 %greater to i32
  %r = add i32 %x, %y
  store i32 %r, ptr addrspace(1) %p, align 4
  ret void
}
