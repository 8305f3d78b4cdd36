; kernel: k
; target: ptx:sm_90
; no-contraction
; CHECK: mul.rn.f64
; CHECK: add.rn.f64
; CHECK-NOT: fma
declare double @llvm.experimental.constrained.fmuladd.f64(double, double, double, metadata, metadata)
define void @k(ptr %p, double %d) strictfp {
  %n = call double @llvm.experimental.constrained.fmuladd.f64(double %d, double %d, double %d, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  store double %n, ptr %p
  ret void
}
