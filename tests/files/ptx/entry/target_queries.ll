; kernel: k
; target: ptx:sm_90
; CHECK: 90;
declare i32 @__acpp_sscp_jit_reflect_target_arch()
declare i32 @__acpp_sscp_jit_reflect_target_is_gpu()
define void @k(ptr %p) {
  %a = call i32 @__acpp_sscp_jit_reflect_target_arch()
  %g = call i32 @__acpp_sscp_jit_reflect_target_is_gpu()
  %s = mul i32 %a, %g
  store i32 %s, ptr %p
  ret void
}
