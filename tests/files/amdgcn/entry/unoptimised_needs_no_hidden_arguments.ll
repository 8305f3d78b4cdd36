; kernel: k
; target: amdgpu:gfx90a
; no-optimise
; group-size: 64,1,1
; CHECK: .amdhsa_kernarg_size 8
; CHECK: .amdhsa_user_sgpr_dispatch_ptr 0
; CHECK-NOT: hidden_
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
define void @k(ptr %p) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %n = call i64 @__acpp_sscp_get_local_size_x()
  %b = mul i64 %g, %n
  %i = add i64 %b, %l
  %q = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %q
  ret void
}
