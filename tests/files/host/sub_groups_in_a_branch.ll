; In a branch that a part of the row takes, a ballot counts those that take it: the lanes are masked,
; and no call is left.
; kernel: vote
; target: x86-64-v3
; dimensions: 1
; group-size: 32,1,1
; sub-group-size: 8
; step: optimise
; CHECK: define void @vote
; CHECK: and <8 x i1>
; CHECK: bitcast <8 x i1>
; CHECK-NOT: __sinter_sub_group
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_sub_group_active() convergent
declare i64 @__acpp_sscp_sub_group_ballot(i64, i1 zeroext) convergent
define void @vote(ptr %data) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %at = getelementptr inbounds i64, ptr %data, i64 %l
  %x = load i64, ptr %at, align 8
  %some = icmp sgt i64 %x, 3
  br i1 %some, label %in, label %out
in:
  %mask = call i64 @__acpp_sscp_sub_group_active()
  %odd = trunc i64 %x to i1
  %votes = call i64 @__acpp_sscp_sub_group_ballot(i64 %mask, i1 zeroext %odd)
  store i64 %votes, ptr %at, align 8
  br label %out
out:
  ret void
}
