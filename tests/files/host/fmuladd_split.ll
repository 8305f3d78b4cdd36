; The intrinsic that the code generator may fuse as it likes becomes two operations.
; kernel: k
; no-contraction
; CHECK: vmulss
; CHECK: vaddss
; CHECK-NOT: vfmadd
declare float @llvm.fmuladd.f32(float, float, float)
define void @k(ptr %p, float %a, float %b) {
  %c = load float, ptr %p
  %r = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
  store float %r, ptr %p
  ret void
}
