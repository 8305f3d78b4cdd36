; The host runs exactly the items of a range: the check in the header folds away.
; kernel: k
; step: specialize
; CHECK: store i32 1
; CHECK-NOT: icmp
; CHECK-NOT: get_local_id
declare i1 @__sinter_ragged_groups()
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %p, i64 %n) {
  %exact = call zeroext i1 @__sinter_ragged_groups()
  br i1 %exact, label %run, label %check
check:
  %i = call i64 @__acpp_sscp_get_local_id_x()
  %in = icmp ult i64 %i, %n
  br i1 %in, label %run, label %done
run:
  store i32 1, ptr %p
  br label %done
done:
  ret void
}
