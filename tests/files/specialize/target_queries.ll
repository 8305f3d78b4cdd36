; Queries of the target have answers; an unknown query says so and its guarded use is gone.
; kernel: k
; step: specialize
; CHECK: store i32 7
; CHECK-NOT: @__acpp_sscp_jit_reflect
; CHECK-NOT: store i32 8
declare i32 @__acpp_sscp_jit_reflect_target_is_cpu()
declare i1 @__acpp_sscp_jit_reflect_knows_target_arch()
declare i32 @__acpp_sscp_jit_reflect_target_arch()
define void @k(ptr %p) {
  %cpu = call i32 @__acpp_sscp_jit_reflect_target_is_cpu()
  %is = icmp ne i32 %cpu, 0
  br i1 %is, label %yes, label %no
yes:
  %known = call i1 @__acpp_sscp_jit_reflect_knows_target_arch()
  br i1 %known, label %arch, label %plain
arch:
  %a = call i32 @__acpp_sscp_jit_reflect_target_arch()
  store i32 %a, ptr %p
  ret void
plain:
  store i32 7, ptr %p
  ret void
no:
  store i32 8, ptr %p
  ret void
}
