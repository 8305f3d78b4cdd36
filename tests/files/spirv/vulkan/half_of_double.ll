; kernel: k
; target: spirv:vulkan
; CHECK: OpFConvert
; CHECK: OpFOrdLessThan
define void @k(ptr %p, double %x) {
  %h = fptrunc double %x to half
  store half %h, ptr %p
  ret void
}
