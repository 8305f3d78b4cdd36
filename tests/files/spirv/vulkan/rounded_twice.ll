; kernel: k
; target: spirv:vulkan
; no-optimise
; Mesa converts a whole number to float at once, which rounds once; a sum of halves rounds twice.
; CHECK: OpConvertSToF
; CHECK: OpFMul
; CHECK: OpConvertUToF
; CHECK: OpFAdd
; CHECK: OpFConvert
define void @k(ptr %p, i64 %whole) {
  %wide = sitofp i64 %whole to double
  %narrow = fptrunc double %wide to float
  store float %narrow, ptr %p
  ret void
}
