; kernel: k
; target: spirv:opencl
; ERROR: the builtin `__acpp_sscp_ldexp_f64` declared as `double (double, i16)`
; ERROR: it is `double (double, i32)`
declare double @__acpp_sscp_ldexp_f64(double, i16)
define void @k(ptr %p, i16 %e) {
  %x = load double, ptr %p
  %r = call double @__acpp_sscp_ldexp_f64(double %x, i16 %e)
  store double %r, ptr %p
  ret void
}
