; A constant that is as long as a line of constant memory begins one: arguments lie behind 0x210
; bytes, and 16 bytes of the object lie in front of its value. Shorter ones are not padded.
; kernel: k
; target: ptx:sm_90
; constants-by-value
; CHECK: .param .align 16 .b8 k_param_2[20]
; CHECK: .param .align 16 .b8 k_param_3[320]
; CHECK: [k_param_2+16]
; CHECK: [k_param_3+68]
@__sinter_device_global.small = external constant <{ ptr, ptr, float }>
@__sinter_device_global.table = external constant <{ ptr, ptr, [64 x float] }>
define void @k(ptr %out, float %start) {
  %a = load float, ptr getelementptr (i8, ptr @__sinter_device_global.small, i64 16)
  %b = load float, ptr getelementptr (i8, ptr @__sinter_device_global.table, i64 20)
  %c = fadd float %start, %a
  %d = fadd float %c, %b
  store float %d, ptr %out
  ret void
}
