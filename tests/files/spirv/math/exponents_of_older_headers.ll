; Exponents of 64 bits, as older releases of AdaptiveCpp declare them.
; kernel: k
; target: spirv:opencl
declare double @__hipsycl_sscp_ldexp_f64(double, i64)
declare double @__acpp_sscp_rootn_f64(double, i64)
declare double @__acpp_sscp_pown_f64(double, i64)
declare i64 @__acpp_sscp_ilogb_f64(double)
define void @k(ptr %p, i64 %e) {
  %x = load double, ptr %p
  %r = call double @__hipsycl_sscp_ldexp_f64(double %x, i64 %e)
  %s = call double @__acpp_sscp_rootn_f64(double %r, i64 %e)
  %t = call double @__acpp_sscp_pown_f64(double %s, i64 %e)
  %i = call i64 @__acpp_sscp_ilogb_f64(double %t)
  %f = sitofp i64 %i to double
  %u = fadd double %t, %f
  store double %u, ptr %p
  ret void
}
