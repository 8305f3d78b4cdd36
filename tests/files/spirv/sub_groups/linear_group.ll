; Sub-groups are in linear order where they fill the rows of a group, which stays as it is.
; kernel: k
; target: spirv:opencl
; group-size: 32,6,1
; sub-group-size: 16
; CHECK: OpExecutionMode %1 LocalSize 32 6 1
; CHECK-NOT: OpUDiv
declare i64 @__acpp_sscp_get_local_id_y()
define void @k(ptr %p) {
  %y = call i64 @__acpp_sscp_get_local_id_y()
  store volatile i64 %y, ptr %p
  ret void
}
; CHECK: OpCompositeExtract %
; CHECK: OpReturn
