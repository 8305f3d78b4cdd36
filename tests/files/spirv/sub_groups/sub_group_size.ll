; kernel: k
; target: spirv:opencl
; sub-group-size: 16
; CHECK: OpCapability SubgroupDispatch
; CHECK: OpExecutionMode %1 SubgroupSize 16
; CHECK: %9 = OpConstant %8 16
declare i32 @__acpp_sscp_get_subgroup_max_size()
define void @k(ptr %p) {
  %n = call i32 @__acpp_sscp_get_subgroup_max_size()
  store volatile i32 %n, ptr %p
  ret void
}
; CHECK: OpStore %11 %9
; CHECK-NOT: BuiltIn
