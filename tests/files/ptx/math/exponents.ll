; kernel: k
; target: ptx:sm_90
; Exponents of other widths than 32 bits.
; CHECK: .entry
declare float @llvm.ldexp.f32.i64(float, i64)
declare float @llvm.ldexp.f32.i8(float, i8)
declare double @llvm.ldexp.f64.i128(double, i128)
declare <2 x float> @llvm.ldexp.v2f32.v2i64(<2 x float>, <2 x i64>)
declare half @llvm.ldexp.f16.i16(half, i16)
define void @k(ptr %p, ptr %q, ptr %r, ptr %s, ptr %t, i64 %a, i8 %b, i128 %c, <2 x i64> %d, i16 %e) {
  %p.v = load float, ptr %p
  %q.v = load float, ptr %q
  %r.v = load double, ptr %r
  %s.v = load <2 x float>, ptr %s
  %t.v = load half, ptr %t
  %p.r = call float @llvm.ldexp.f32.i64(float %p.v, i64 %a)
  %q.r = call float @llvm.ldexp.f32.i8(float %q.v, i8 %b)
  %r.r = call double @llvm.ldexp.f64.i128(double %r.v, i128 %c)
  %s.r = call <2 x float> @llvm.ldexp.v2f32.v2i64(<2 x float> %s.v, <2 x i64> %d)
  %t.r = call half @llvm.ldexp.f16.i16(half %t.v, i16 %e)
  store float %p.r, ptr %p
  store float %q.r, ptr %q
  store double %r.r, ptr %r
  store <2 x float> %s.r, ptr %s
  store half %t.r, ptr %t
  ret void
}
