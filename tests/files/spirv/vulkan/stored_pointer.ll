; kernel: k
; target: spirv:vulkan
; no-optimise
; A pointer to local memory that goes through global memory keeps its kind.
; CHECK: OpBitwiseOr
; CHECK: OpShiftRightLogical
; CHECK: OpSelectionMerge
@tile = internal addrspace(3) global i32 undef, align 4
define void @k(ptr addrspace(1) %p) {
  %local = addrspacecast ptr addrspace(3) @tile to ptr
  store ptr %local, ptr addrspace(1) %p, align 8
  %loaded = load volatile ptr, ptr addrspace(1) %p, align 8
  store i32 1, ptr %loaded, align 4
  ret void
}
