; kernel: k
; target: ptx:sm_90
; CHECK-NOT: .extern
; CHECK: st.global
declare float @sinf(float)
declare double @remquo(double, double, ptr)
declare i32 @memcmp(ptr, ptr, i64)
define void @k(ptr %p, ptr %q, i64 %n, double %d) {
  %c = call i32 @memcmp(ptr %p, ptr %q, i64 %n)
  %v = sitofp i32 %c to float
  %r = call float @sinf(float %v)
  store float %r, ptr %p
  %s = call double @remquo(double %d, double 3.0, ptr %q)
  store double %s, ptr %p
  ret void
}
