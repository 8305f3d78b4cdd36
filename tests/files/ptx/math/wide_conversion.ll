; Integers of up to 128 bits, also where the optimiser or a vector makes the conversion.
; kernel: k
; target: ptx:sm_90
; CHECK-NOT: __float
; CHECK-NOT: __fix
; CHECK-NOT: __udivti3
declare <2 x i128> @llvm.fptosi.sat.v2i128.v2f64(<2 x double>)
define void @k(ptr %p, ptr %q, <2 x double> %d) {
  %a = load i128, ptr %p
  %b = sitofp i128 %a to double
  store double %b, ptr %p
  %c = load i100, ptr %q
  %h = uitofp i100 %c to half
  store half %h, ptr %q
  %v = call <2 x i128> @llvm.fptosi.sat.v2i128.v2f64(<2 x double> %d)
  %r = load <2 x i128>, ptr %q
  %s = sdiv <2 x i128> %v, %r
  %t = urem <2 x i128> %s, %r
  store <2 x i128> %t, ptr %q
  ret void
}
