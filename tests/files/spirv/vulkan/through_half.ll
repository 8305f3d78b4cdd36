; A number that goes through half precision is changed by a zero that drivers cannot know, in
; between: else they leave out both conversions.
; kernel: k
; target: spirv:vulkan:1.5
; no-optimise
; CHECK: OpFConvert
; CHECK: OpBitwiseOr
; CHECK: OpFConvert
define void @k(ptr addrspace(1) %p, float %a) {
  %short = fptrunc float %a to half
  %r = fpext half %short to float
  store float %r, ptr addrspace(1) %p, align 4
  ret void
}
