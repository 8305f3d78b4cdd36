; kernel: k
; target: ptx:sm_90
; CHECK: .param .u8 k_param_1,
; CHECK: .param .u16 k_param_2,
; CHECK: .param .f32 k_param_3,
; CHECK: .param .f64 k_param_4,
; CHECK: .param .align 2 .b8 k_param_5[2],
; CHECK: .param .align 16 .b8 k_param_6[12],
; CHECK: .param .u8 k_param_7,
; CHECK: .param .align 1 .b8 k_param_8[1],
; CHECK: .param .align 16 .b8 k_param_9[16]
define void @k(ptr %p, i8 %a, i16 %b, float %c, double %d, half %e, <3 x float> %f, i8 %g, i1 %h, i128 %i) {
  store volatile i8 %a, ptr %p
  store volatile i16 %b, ptr %p
  store volatile float %c, ptr %p
  store volatile double %d, ptr %p
  store volatile half %e, ptr %p
  store volatile <3 x float> %f, ptr %p
  store volatile i8 %g, ptr %p
  store volatile i1 %h, ptr %p
  store volatile i128 %i, ptr %p
  ret void
}
