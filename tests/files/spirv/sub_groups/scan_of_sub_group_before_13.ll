; kernel: k
; target: spirv:opencl:1.2
; CHECK: OpGroupIAdd
; CHECK-NOT: OpGroupNonUniform
declare i32 @__acpp_sscp_sub_group_reduce_i32(i32, i32)
define void @k(ptr %p) {
  %v = call i32 @__acpp_sscp_sub_group_reduce_i32(i32 0, i32 1)
  store i32 %v, ptr %p
  ret void
}
