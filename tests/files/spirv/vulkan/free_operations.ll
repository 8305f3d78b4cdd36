; kernel: k
; target: spirv:vulkan
; no-optimise
; With all permissions the driver may do what it likes.
; CHECK: OpFMul
; CHECK: OpFAdd
; CHECK-NOT: NoContraction
; CHECK-NOT: Fma
define void @k(ptr %p, float %x, float %y) {
  %a = fmul fast float %x, %y
  %b = fadd fast float %a, %y
  store float %b, ptr %p
  ret void
}
