; What exceeds a narrow integer loses its upper bits, as on a CPU, instead of being the largest one.
; kernel: k
; target: ptx:sm_90
; CHECK: cvt.rzi.s32.f64
; CHECK: st.global.u8
; CHECK: cvt.rzi.u32.f32
; CHECK: st.global.u16
; CHECK-NOT: cvt.rzi.s16
; CHECK-NOT: cvt.rzi.u16
define void @k(ptr %p, ptr %q, double %d, float %f) {
  %byte = fptosi double %d to i8
  store i8 %byte, ptr %p
  %word = fptoui float %f to i16
  store i16 %word, ptr %q
  ret void
}
