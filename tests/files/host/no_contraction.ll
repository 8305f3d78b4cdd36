; Without contraction nothing is fused, though the code allows it.
; kernel: triad
; CHECK: vmulpd
; CHECK: vaddpd
; CHECK: ymm
; CHECK-NOT: vfmadd
; no-contraction

declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
define void @triad(ptr %a, ptr %b, ptr %c, double %s) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %n = call i64 @__acpp_sscp_get_local_size_x()
  %base = mul i64 %g, %n
  %i = add i64 %base, %l
  %pa = getelementptr inbounds double, ptr %a, i64 %i
  %pb = getelementptr inbounds double, ptr %b, i64 %i
  %pc = getelementptr inbounds double, ptr %c, i64 %i
  %va = load double, ptr %pa, align 8
  %vb = load double, ptr %pb, align 8
  %m = fmul contract double %s, %vb
  %r = fadd contract double %va, %m
  store double %r, ptr %pc, align 8
  ret void
}
