; kernel: k
; target: ptx:sm_90
; CHECK: .param .align 16 .b8 k_param_1[32]
; CHECK: ld.param.f64
; CHECK-NOT: .local
define void @k(ptr %p, ptr byval([32 x i8]) align 16 %s) {
  %q = getelementptr i8, ptr %s, i64 8
  %v = load double, ptr %q
  store double %v, ptr %p
  ret void
}
