; A value that is given for a constant of AdaptiveCpp's headers is used, also in place of the target's answer.
; kernel: k
; step: specialize
; constant: _ZZN26__acpp_sscp_s2_ir_constantIL_ZN7hipsycl4sycl3jitL15current_backendEEiE3getEiE20__acpp_ir_constant_v=i32:1
; CHECK: store i32 1
@_ZZN26__acpp_sscp_s2_ir_constantIL_ZN7hipsycl4sycl3jitL15current_backendEEiE3getEiE20__acpp_ir_constant_v = linkonce_odr global i32 0, align 4
define void @k(ptr %p) {
  %b = load i32, ptr @_ZZN26__acpp_sscp_s2_ir_constantIL_ZN7hipsycl4sycl3jitL15current_backendEEiE3getEiE20__acpp_ir_constant_v
  store i32 %b, ptr %p
  ret void
}
