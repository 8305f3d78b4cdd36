; The constant is added to the index of the word, not to the address.
; kernel: k
; target: spirv:vulkan
; CHECK: OpShiftRightLogical
; CHECK: OpIAdd
; CHECK: OpInBoundsAccessChain
@tile = internal addrspace(3) global [64 x i32] undef, align 4
define void @k(ptr %p) {
  %id = call i64 @__acpp_sscp_get_local_id_x()
  %place = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  %next = getelementptr i8, ptr addrspace(3) %place, i64 12
  %x = load i32, ptr addrspace(3) %next, align 4
  store i32 %x, ptr %p, align 4
  ret void
}
declare i64 @__acpp_sscp_get_local_id_x()
