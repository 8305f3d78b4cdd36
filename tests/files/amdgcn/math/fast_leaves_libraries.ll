; kernel: k
; target: amdgpu:gfx90a
; step: builtins
; fast
; CHECK: fadd fast double
; CHECK-NOT: fmul fast
; CHECK-NOT: fsub fast
; CHECK-NOT: fma.f64(double fast
declare double @__acpp_sscp_sin_f64(double)
define void @k(ptr %p, double %x, double %y) {
  %a = call double @__acpp_sscp_sin_f64(double %x)
  %b = fadd double %a, %y
  store double %b, ptr %p
  ret void
}
