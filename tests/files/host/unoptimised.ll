; Without optimisation the items still run in one function.
; kernel: k
; step: optimise
; no-optimise
; CHECK: define void @k
; CHECK-NOT: define internal
; CHECK-NOT: call i64 @__acpp
; CHECK-NOT: x double>
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %p) {
  %i = call i64 @__acpp_sscp_get_local_id_x()
  %slot = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %slot
  ret void
}
