; kernel: k
; ERROR: the builtin `__acpp_sscp_fma_f64` declared as `double (double, double)`
; ERROR: it is `double (double, double, double)`
declare double @__acpp_sscp_fma_f64(double, double)
define void @k(ptr %p) {
  %x = load double, ptr %p
  %r = call double @__acpp_sscp_fma_f64(double %x, double %x)
  store double %r, ptr %p
  ret void
}
