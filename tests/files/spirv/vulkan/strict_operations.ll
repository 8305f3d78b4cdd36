; kernel: k
; target: spirv:vulkan:1.5:-divergent-fences
; no-optimise
; Mesa takes the rest of the sum for c, and the conversion back for a function that rounds, unless
; the operations are decorated. Contraction does not allow that.
; CHECK: NoContraction
; CHECK: NoContraction
; CHECK: NoContraction
; CHECK: NoContraction
; CHECK: OpFAdd
; CHECK: OpFSub
; CHECK: OpConvertFToS
; CHECK: OpConvertSToF
define void @k(ptr %p, float %z, float %c) {
  %sum = fadd contract float %z, %c
  %rest = fsub contract float %sum, %z
  %whole = fptosi float %rest to i32
  %back = sitofp i32 %whole to float
  store float %back, ptr %p
  ret void
}
