; A known group size needs no clamping at the end of a range.
; kernel: k
; step: entry
; group-size: 32,1,1
; CHECK: %extent.x = add i64 0, 32
; CHECK-NOT: llvm.umin
; CHECK-NOT: %global_size
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %p) {
  %i = call i64 @__acpp_sscp_get_local_id_x()
  store i64 %i, ptr %p
  ret void
}
