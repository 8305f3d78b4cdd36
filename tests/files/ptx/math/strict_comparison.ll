; kernel: k
; target: ptx:sm_90
; CHECK: setp.lt.f64
declare i1 @llvm.experimental.constrained.fcmp.f64(double, double, metadata, metadata)
define void @k(ptr %p, double %d) strictfp {
  %q = call i1 @llvm.experimental.constrained.fcmp.f64(double %d, double 1.0, metadata !"olt", metadata !"fpexcept.strict") strictfp
  store i1 %q, ptr %p
  ret void
}
