; kernel: k
; target: spirv:vulkan
; CHECK: OpMemoryModel PhysicalStorageBuffer64 Vulkan
; CHECK: OpEntryPoint GLCompute
; CHECK: OpExecutionModeId
; CHECK: LocalSizeId
; CHECK: BuiltIn WorkgroupId
; CHECK: SpecId 0
; CHECK: OpTypePointer PushConstant
; CHECK: OpTypePointer PhysicalStorageBuffer
; CHECK: OpSelectionMerge
; CHECK: OpStore
; CHECK: Aligned|NonPrivatePointer 4
define void @k(ptr %p, ptr %q, float %a, i32 %n) {
  %id = call i64 @__acpp_sscp_get_group_id_x()
  %i = trunc i64 %id to i32
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %do, label %end
do:
  %from = getelementptr float, ptr %p, i64 %id
  %to = getelementptr float, ptr %q, i64 %id
  %x = load float, ptr %from, align 4
  %y = fmul float %x, %a
  store float %y, ptr %to, align 4
  br label %end
end:
  ret void
}
declare i64 @__acpp_sscp_get_group_id_x()
