; kernel: k
; step: specialize
; target: amdgpu:gfx90a
; CHECK: store volatile i32 2314, ptr %p
; CHECK: store volatile i32 4098, ptr %p
; CHECK: store volatile i32 2, ptr %p
declare i32 @__acpp_sscp_jit_reflect_target_arch()
declare i32 @__acpp_sscp_jit_reflect_target_vendor_id()
declare i32 @__acpp_sscp_jit_reflect_compiler_backend()
define void @k(ptr %p) {
  %a = call i32 @__acpp_sscp_jit_reflect_target_arch()
  store volatile i32 %a, ptr %p
  %b = call i32 @__acpp_sscp_jit_reflect_target_vendor_id()
  store volatile i32 %b, ptr %p
  %c = call i32 @__acpp_sscp_jit_reflect_compiler_backend()
  store volatile i32 %c, ptr %p
  ret void
}
