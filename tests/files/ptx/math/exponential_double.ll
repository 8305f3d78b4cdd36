; kernel: k
; target: ptx:sm_90
; CHECK: fma.rn.f64
; CHECK-NOT: .extern
declare double @llvm.exp.f64(double)
define void @k(ptr %p) {
  %v = load double, ptr %p
  %r = call double @llvm.exp.f64(double %v)
  store double %r, ptr %p
  ret void
}
