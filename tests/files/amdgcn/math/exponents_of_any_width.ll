; kernel: k
; target: amdgpu:gfx90a
; CHECK: v_ldexp_f32
; CHECK: v_ldexp_f64
declare float @llvm.ldexp.f32.i64(float, i64)
declare <2 x double> @llvm.ldexp.v2f64.v2i16(<2 x double>, <2 x i16>)
declare double @llvm.ldexp.f64.i128(double, i128)
define void @k(ptr %p, ptr %q, float %x, i64 %n, <2 x i16> %m, i128 %w) {
  %a = call float @llvm.ldexp.f32.i64(float %x, i64 %n)
  store float %a, ptr %p
  %v = load <2 x double>, ptr %q
  %b = call <2 x double> @llvm.ldexp.v2f64.v2i16(<2 x double> %v, <2 x i16> %m)
  store <2 x double> %b, ptr %q
  %d = load double, ptr %q
  %c = call double @llvm.ldexp.f64.i128(double %d, i128 %w)
  store double %c, ptr %p
  ret void
}
