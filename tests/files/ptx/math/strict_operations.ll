; kernel: k
; target: ptx:sm_90
; CHECK: add.rn.f64
; CHECK: fma.rn.f64
; CHECK: cvt.rn.f32.f64
declare double @llvm.experimental.constrained.sin.f64(double, metadata, metadata)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.fma.f64(double, double, double, metadata, metadata)
declare float @llvm.experimental.constrained.fptrunc.f32.f64(double, metadata, metadata)
define void @k(ptr %p, double %d) strictfp {
  %m = call double @llvm.experimental.constrained.fadd.f64(double %d, double %d, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %n = call double @llvm.experimental.constrained.fma.f64(double %m, double %d, double %d, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %f = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %n, metadata !"round.tonearest", metadata !"fpexcept.strict") strictfp
  %s = call double @llvm.experimental.constrained.sin.f64(double %n, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  store volatile float %f, ptr %p
  store volatile double %s, ptr %p
  ret void
}
