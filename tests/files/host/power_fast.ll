; What the optimiser makes of a power with a whole exponent needs no library (compiler-rt's `__powidf2`).
; kernel: k
; fast
; CHECK-NOT: powi
; CHECK: mulsd
; CHECK-NOT: callq
declare double @llvm.pow.f64(double, double)
define void @k(ptr %p, i32 %n) {
  %x = load double, ptr %p
  %y = sitofp i32 %n to double
  %r = call double @llvm.pow.f64(double %x, double %y)
  store double %r, ptr %p
  ret void
}
