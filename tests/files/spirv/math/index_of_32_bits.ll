; kernel: k
; target: spirv:opencl
; group-size: 256,1,1
; dimensions: 1
; sizes-fit-i32
; CHECK: OpIAdd
; CHECK: OpSConvert
; CHECK-NOT: OpBitwiseAnd
; CHECK-NOT: OpBitwiseOr
; CHECK-NOT: OpUConvert %7
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
define void @k(ptr %p) {
  %local = call i64 @__acpp_sscp_get_local_id_x()
  %group = call i64 @__acpp_sscp_get_group_id_x()
  %size = call i64 @__acpp_sscp_get_local_size_x()
  %l = trunc i64 %local to i32
  %g = trunc i64 %group to i32
  %s = trunc i64 %size to i32
  %first = mul i32 %g, %s
  %i = add i32 %first, %l
  %index = sext i32 %i to i64
  %place = getelementptr i32, ptr %p, i64 %index
  store i32 %i, ptr %place
  ret void
}
