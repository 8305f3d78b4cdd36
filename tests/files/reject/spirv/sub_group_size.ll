; kernel: k
; target: spirv:opencl:-sub-group-size
; sub-group-size: 16
; ERROR: sub-groups of 16 work-items, which the kernel requires
; ERROR: feature `sub-group-size`
define void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
