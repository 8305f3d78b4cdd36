; kernel: k
; target: spirv:vulkan:1.5:-divergent-fences
; no-optimise
; CHECK: OpULessThan
; CHECK: OpSelectionMerge
; CHECK: OpBranchConditional
define void @k(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}
