; kernel: k
; target: spirv:vulkan
; CHECK: OpShiftRightLogical
; CHECK: OpSelectionMerge
; CHECK: OpAtomicIAdd
; CHECK: OpAtomicIAdd
; CHECK: OpPhi
@tile = internal addrspace(3) global i32 undef, align 4
define void @k(ptr %p, i1 %which) {
  %local = addrspacecast ptr addrspace(3) @tile to ptr
  %either = select i1 %which, ptr %p, ptr %local
  %old = atomicrmw add ptr %either, i32 1 monotonic
  %new = load volatile i32, ptr %either, align 4
  %sum = add i32 %old, %new
  store volatile i32 %sum, ptr %p
  ret void
}
