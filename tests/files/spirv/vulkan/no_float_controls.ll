; kernel: k
; target: spirv:vulkan:1.5:-subnormals:-round-to-nearest
; no-optimise
; CHECK-NOT: DenormPreserve
; CHECK-NOT: RoundingModeRTE
; CHECK: SignedZeroInfNanPreserve 32
; CHECK-NOT: DenormPreserve
; CHECK-NOT: RoundingModeRTE
define void @k(ptr addrspace(1) %p, float %a, float %b) {
  %r = fdiv float %a, %b
  store float %r, ptr addrspace(1) %p, align 4
  ret void
}
