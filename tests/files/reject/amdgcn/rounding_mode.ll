; kernel: k
; target: amdgpu:gfx90a
; ERROR: a floating-point operation with the rounding mode `round.upward`
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
define void @k(ptr %p, double %d) strictfp {
  %m = call double @llvm.experimental.constrained.fadd.f64(double %d, double %d, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  store double %m, ptr %p
  ret void
}
