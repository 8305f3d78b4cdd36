; IR constants of AdaptiveCpp's headers get the host's answer, whatever value they start with; calls by which its
; headers describe functions mean nothing here, and its list of kernels keeps no other kernel alive.
; kernel: k
; step: specialize
; CHECK: define void @k
; CHECK: store i32 3
; CHECK-NOT: @__acpp_function_annotation
; CHECK-NOT: @never
; CHECK-NOT: @_ZZN
; CHECK-NOT: @other
@_ZZN26__acpp_sscp_s2_ir_constantIL_ZN7hipsycl4sycl3jitL15current_backendEEiE3getEiE20__acpp_ir_constant_v = global i32 0, align 4
declare void @__acpp_function_annotation_dynamic_function()
declare void @_Z42__acpp_function_annotation_argument_usedIRiEvOT_(ptr)
declare i1 @__acpp_sscp_s2_reflect_target_is_cpu()
declare i1 @__acpp_sscp_jit_reflect_runtime_backend_is_opencl()
declare void @never()
define void @k(ptr %p) {
  call void @__acpp_function_annotation_dynamic_function()
  call void @_Z42__acpp_function_annotation_argument_usedIRiEvOT_(ptr %p)
  %b = load i32, ptr @_ZZN26__acpp_sscp_s2_ir_constantIL_ZN7hipsycl4sycl3jitL15current_backendEEiE3getEiE20__acpp_ir_constant_v
  %host = icmp eq i32 %b, 3
  %cpu = call i1 @__acpp_sscp_s2_reflect_target_is_cpu()
  %both = and i1 %host, %cpu
  br i1 %both, label %yes, label %no
yes:
  store i32 %b, ptr %p
  ret void
no:
  %opencl = call i1 @__acpp_sscp_jit_reflect_runtime_backend_is_opencl()
  call void @never()
  ret void
}
define void @other(ptr %p) {
  ret void
}
!hipsycl.sscp.annotations = !{!0, !1}
!0 = !{ptr @k, !"hipsycl_kernel_dimension", i32 1}
!1 = !{ptr @other, !"hipsycl_kernel_dimension", i32 2}
