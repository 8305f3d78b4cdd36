; Constants become arguments by value if all work-items read the same places; not if each has its
; own place, if the kernel passes the address on or writes, or if the constant is large.
; kernel: k
; step: dead-arguments
; target: ptx:sm_90
; constants-by-value
; CHECK: define void @k(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr byval([32 x i8]) align 16 %6)
; CHECK: ptr %6, i64 16
; CHECK: ptr %2
; CHECK: ptr %3
; CHECK: ptr %4
; CHECK: load float, ptr %5
@__sinter_device_global.alike = external constant <{ ptr, ptr, [4 x float] }>
@__sinter_device_global.own = external constant <{ ptr, ptr, [64 x float] }>
@__sinter_device_global.passed = external constant <{ ptr, ptr, [4 x float] }>
@__sinter_device_global.large = external constant <{ ptr, ptr, [1024 x float] }>
@__sinter_device_global.variable = external global float
declare i32 @__acpp_sscp_get_local_id_x()
define void @k(ptr %out) {
  %a = load float, ptr getelementptr (i8, ptr @__sinter_device_global.alike, i64 16), align 4
  %id = call i32 @__acpp_sscp_get_local_id_x()
  %place = getelementptr float, ptr getelementptr (i8, ptr @__sinter_device_global.own, i64 16), i32 %id
  %b = load float, ptr %place, align 4
  %c = getelementptr i8, ptr @__sinter_device_global.passed, i64 16
  store ptr %c, ptr %out
  %d = load float, ptr getelementptr (i8, ptr @__sinter_device_global.large, i64 16), align 4
  %e = load float, ptr @__sinter_device_global.variable, align 4
  %ab = fadd float %a, %b
  %de = fadd float %d, %e
  %sum = fadd float %ab, %de
  %second = getelementptr float, ptr %out, i32 2
  store float %sum, ptr %second
  ret void
}
