; kernel: k
; target: spirv:vulkan
; no-optimise
; Contraction is an instruction of its own, where both operations allow it and nothing else uses the
; product.
; CHECK: NoContraction
; CHECK: NoContraction
; CHECK: NoContraction
; CHECK: NoContraction
; CHECK: Fma
; CHECK: OpFNegate
; CHECK: Fma
; CHECK: OpFNegate
; CHECK: Fma
; CHECK: OpFMul
; CHECK: OpFAdd
; CHECK: OpFMul
; CHECK: OpFAdd
; CHECK-NOT: OpFSub
define void @k(ptr %p, float %x, float %y) {
  %a = fmul contract float %x, %y
  %b = fadd contract float %y, %a
  %c = fmul contract float %b, %y
  %d = fsub contract float %c, %x
  %e = fmul contract float %d, %y
  %f = fsub contract float %x, %e
  %square = fmul contract float %f, %f
  %two = fadd contract float %square, %square
  %strict = fmul float %two, %x
  %last = fadd contract float %strict, %y
  store float %last, ptr %p
  ret void
}
