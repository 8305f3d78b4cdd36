; kernel: k
; target: spirv:vulkan:1.5
; no-optimise
; CHECK: OpCapability DenormPreserve
; CHECK: OpCapability RoundingModeRTE
; CHECK: SignedZeroInfNanPreserve 32
; CHECK: DenormPreserve 32
; CHECK: RoundingModeRTE 32
define void @k(ptr addrspace(1) %p, float %a, float %b) {
  %r = fdiv float %a, %b
  store float %r, ptr addrspace(1) %p, align 4
  ret void
}
