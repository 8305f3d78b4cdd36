; A stream kernel is vectorised without run-time alias checks, parameters loaded once.
; kernel: triad
; step: optimise
; CHECK: define void @triad
; CHECK: load <4 x double>
; CHECK: fmul <4 x double>
; CHECK: store <4 x double>
; CHECK-NOT: memcheck
; CHECK-NOT: found.conflict
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
  %m = fmul double %s, %vb
  %r = fadd double %va, %m
  store double %r, ptr %pc, align 8
  ret void
}
