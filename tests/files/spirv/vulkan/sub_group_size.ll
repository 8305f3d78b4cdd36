; kernel: k
; target: spirv:vulkan
; sub-group-size: 16
; CHECK: OpModuleProcessed "sinter.sub-group-size=16"
; CHECK-NOT: OpExecutionMode %1 SubgroupSize
define void @k(ptr %p) {
  %id = call i32 @__acpp_sscp_get_subgroup_local_id()
  store i32 %id, ptr %p
  ret void
}
declare i32 @__acpp_sscp_get_subgroup_local_id()
