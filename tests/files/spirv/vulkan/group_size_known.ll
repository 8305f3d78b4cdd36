; kernel: k
; target: spirv:vulkan
; group-size: 64,2,1
; CHECK: LocalSizeId
; CHECK-NOT: SpecId
define void @k(ptr %p) {
  %size = call i64 @__acpp_sscp_get_local_size_x()
  store i64 %size, ptr %p
  ret void
}
declare i64 @__acpp_sscp_get_local_size_x()
