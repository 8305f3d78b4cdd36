; kernel: k
; target: spirv:vulkan
; no-optimise
; CHECK: OpTypePointer Function
; CHECK: OpVariable
; CHECK: OpShiftRightLogical
; CHECK: OpBitwiseOr
%union = type { [8 x i8] }
define void @k(ptr %p, i64 %i) {
  %u = alloca %union, align 8
  %v = alloca [4 x double], align 8
  store i64 %i, ptr %u, align 8
  %low = getelementptr %union, ptr %u, i64 0, i32 0, i64 1
  store i8 3, ptr %low, align 1
  %place = getelementptr [4 x double], ptr %v, i64 0, i64 %i
  store double 1.5, ptr %place, align 8
  %half = load float, ptr %u, align 4
  %back = load double, ptr %place, align 8
  store float %half, ptr %p, align 4
  %q = getelementptr double, ptr %p, i64 1
  store double %back, ptr %q, align 8
  ret void
}
