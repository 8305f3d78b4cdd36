; Vulkan's own root may be off; this one is a reciprocal root that is corrected by fused operations.
; kernel: k
; target: spirv:vulkan:1.5
; no-optimise
; CHECK: InverseSqrt
; CHECK: Fma
; CHECK: Fma
; CHECK: Fma
; CHECK: Fma
; CHECK: Fma
declare float @llvm.sqrt.f32(float)
define void @k(ptr addrspace(1) %p, float %a) {
  %r = call float @llvm.sqrt.f32(float %a)
  store float %r, ptr addrspace(1) %p, align 4
  ret void
}
