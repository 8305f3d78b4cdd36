; kernel: k
; target: amdgpu:gfx90a
; CHECK: mul
declare { double, double } @__muldc3(double, double, double, double)
declare <2 x float> @__divsc3(float, float, float, float)
define void @k(ptr %p, ptr %q, double %a, float %b) {
  %m = call { double, double } @__muldc3(double %a, double %a, double 2.0, double %a)
  %d = call <2 x float> @__divsc3(float %b, float %b, float 2.0, float %b)
  store { double, double } %m, ptr %p
  store <2 x float> %d, ptr %q
  ret void
}
