; kernel: k
; target: spirv:vulkan
; ERROR: the function `fmod`
define void @k(ptr %p, float %x, float %y) {
  %r = frem float %x, %y
  store float %r, ptr %p
  ret void
}
