; Small functions, as compilers leave them without optimisation, do not keep a loop from being vectorised.
; kernel: scale
; step: optimise
; CHECK: define void @scale
; CHECK: load <4 x double>
; CHECK: fmul <4 x double>
; CHECK: store <4 x double>
; CHECK-NOT: call double
; CHECK-NOT: call ptr
declare i64 @__acpp_sscp_get_local_id_x()
define void @scale(ptr %a, ptr %b, double %s) {
  %i = call i64 @__acpp_sscp_get_local_id_x()
  %pa = call ptr @element(ptr %a, i64 %i)
  %pb = call ptr @element(ptr %b, i64 %i)
  %va = load double, ptr %pa, align 8
  %r = call double @product(double %va, double %s)
  store double %r, ptr %pb, align 8
  ret void
}
define internal ptr @element(ptr %base, i64 %i) noinline {
  %base.slot = alloca ptr, align 8
  %i.slot = alloca i64, align 8
  store ptr %base, ptr %base.slot, align 8
  store i64 %i, ptr %i.slot, align 8
  %b = load ptr, ptr %base.slot, align 8
  %n = load i64, ptr %i.slot, align 8
  %p = getelementptr inbounds double, ptr %b, i64 %n
  ret ptr %p
}
define internal double @product(double %a, double %b) noinline {
  %a.slot = alloca double, align 8
  store double %a, ptr %a.slot, align 8
  %v = load double, ptr %a.slot, align 8
  %r = fmul double %v, %b
  ret double %r
}
