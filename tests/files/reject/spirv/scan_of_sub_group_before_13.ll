; kernel: k
; target: spirv:opencl:1.2
; ERROR: a reduction or scan over a sub-group
; ERROR: it needs SPIR-V 1.3, and the target says 1.2
declare i32 @__acpp_sscp_sub_group_reduce_i32(i32, i32)
define void @k(ptr %p) {
  %v = call i32 @__acpp_sscp_sub_group_reduce_i32(i32 0, i32 1)
  store i32 %v, ptr %p
  ret void
}
