; kernel: k
; target: spirv:vulkan
; CHECK: SpecId 3
; CHECK: OpSpecConstant
; CHECK: OpVariable
; CHECK: Workgroup
; CHECK: OpAtomicAnd
; CHECK: OpAtomicOr
; CHECK: OpControlBarrier
@tile = internal addrspace(3) global [64 x i8] undef, align 4
define void @k(ptr %p) {
  %id = call i64 @__acpp_sscp_get_local_id_x()
  %place = getelementptr i8, ptr addrspace(3) @tile, i64 %id
  store i8 1, ptr addrspace(3) %place, align 1
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 4)
  %x = load i32, ptr addrspace(3) @tile, align 4
  store i32 %x, ptr %p, align 4
  ret void
}
declare i64 @__acpp_sscp_get_local_id_x()
declare void @__acpp_sscp_work_group_barrier(i32, i32)
