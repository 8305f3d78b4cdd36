; kernel: k
; target: amdgpu:gfx90a
; CHECK: .amdhsa_kernarg_size 264
; CHECK: .max_flat_workgroup_size: 256
declare i64 @__acpp_sscp_get_local_size_x()
define void @k(ptr %p) {
  %n = call i64 @__acpp_sscp_get_local_size_x()
  store i64 %n, ptr %p
  ret void
}
