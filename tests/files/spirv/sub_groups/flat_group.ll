; A group whose sub-groups would not be in linear order is launched as a row along x.
; kernel: k
; target: spirv:opencl
; group-size: 4,6,2
; sub-group-size: 16
; CHECK: OpExecutionMode %1 LocalSize 48 1 1
; CHECK: OpExecutionMode %1 SubgroupSize 16
; CHECK-NOT: BuiltIn WorkgroupSize
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_local_id_y()
declare i64 @__acpp_sscp_get_local_id_z()
declare i64 @__acpp_sscp_get_local_size_y()
declare i32 @__acpp_sscp_get_subgroup_local_id()
define void @k(ptr %p) {
  %x = call i64 @__acpp_sscp_get_local_id_x()
  store volatile i64 %x, ptr %p
  %y = call i64 @__acpp_sscp_get_local_id_y()
  store volatile i64 %y, ptr %p
  %z = call i64 @__acpp_sscp_get_local_id_z()
  store volatile i64 %z, ptr %p
  %h = call i64 @__acpp_sscp_get_local_size_y()
  store volatile i64 %h, ptr %p
  %l = call i32 @__acpp_sscp_get_subgroup_local_id()
  store volatile i32 %l, ptr %p
  ret void
}
; CHECK: OpCompositeExtract %18 %22 0
; CHECK: OpBitwiseAnd %18 %8 %23
; CHECK: OpStore %37 %36
; CHECK: OpReturn
