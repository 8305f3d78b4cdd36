; Vulkan's reciprocal root is accurate enough, but undefined for zeros and negative numbers.
; kernel: k
; target: spirv:vulkan:1.5
; CHECK: InverseSqrt
; CHECK: OpSelect
; CHECK-NOT: OpBranchConditional
declare float @__acpp_sscp_rsqrt_f32(float)
define void @k(ptr addrspace(1) %p, float %a) {
  %r = call float @__acpp_sscp_rsqrt_f32(float %a)
  store float %r, ptr addrspace(1) %p, align 4
  ret void
}
