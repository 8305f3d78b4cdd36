; Lanes that go to either side of a tree would soon run in rows of one: they search one after another,
; here in a kernel whose sub-groups need rows.
; kernel: k
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; sub-group-size: 16
; step: entry
; REMARK: `search` is called for one work-item after another: its recursive calls part the lanes of a row
; CHECK: define internal void @k.item
; CHECK: call i32 @search(
; CHECK-NOT: @search.row
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_sub_group_active() convergent
declare i64 @__acpp_sscp_sub_group_ballot(i64, i1 zeroext) convergent
define internal i32 @search(ptr %tree, i64 %node, i32 %key) {
  %at = getelementptr inbounds i32, ptr %tree, i64 %node
  %value = load i32, ptr %at, align 4
  %found = icmp eq i32 %value, %key
  br i1 %found, label %end, label %on
on:
  %below = icmp ult i32 %key, %value
  %twice = shl i64 %node, 1
  br i1 %below, label %low, label %high
low:
  %left = add i64 %twice, 1
  %a = call i32 @search(ptr %tree, i64 %left, i32 %key)
  %deeper = add i32 %a, 1
  br label %end
high:
  %right = add i64 %twice, 2
  %b = call i32 @search(ptr %tree, i64 %right, i32 %key)
  %lower = mul i32 %b, 3
  br label %end
end:
  %depth = phi i32 [ 1, %0 ], [ %deeper, %low ], [ %lower, %high ]
  ret i32 %depth
}
define void @k(ptr %tree, ptr %keys, ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %from = getelementptr inbounds i32, ptr %keys, i64 %l
  %key = load i32, ptr %from, align 4
  %depth = call i32 @search(ptr %tree, i64 0, i32 %key)
  %mask = call i64 @__acpp_sscp_sub_group_active()
  %odd = trunc i32 %depth to i1
  %votes = call i64 @__acpp_sscp_sub_group_ballot(i64 %mask, i1 zeroext %odd)
  %next = trunc i64 %votes to i32
  %to = getelementptr inbounds i32, ptr %out, i64 %l
  store i32 %next, ptr %to, align 4
  ret void
}
