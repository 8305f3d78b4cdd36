; A loop that sees what other work-items write may wait for one of its own row: lanes run the function
; one after another.
; kernel: k
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; rows: 16
; step: entry
; REMARK: `take` is called for one work-item after another: a loop may wait for what another work-item writes
; CHECK: define internal void @k.item
; CHECK: call i32 @take(
; CHECK-NOT: @take.row
declare i64 @__acpp_sscp_get_local_id_x()
define internal i32 @take(ptr %lock, ptr %count, i32 %more) {
  br label %wait
wait:
  %old = atomicrmw xchg ptr %lock, i32 1 acquire
  %held = icmp ne i32 %old, 0
  br i1 %held, label %wait, label %taken
taken:
  %before = load i32, ptr %count, align 4
  %after = add i32 %before, %more
  store i32 %after, ptr %count, align 4
  store atomic i32 0, ptr %lock release, align 4
  %again = icmp sgt i32 %more, 9
  br i1 %again, label %rest, label %end
rest:
  %less = sub i32 %more, 9
  %last = call i32 @take(ptr %lock, ptr %count, i32 %less)
  br label %end
end:
  %result = phi i32 [ %after, %taken ], [ %last, %rest ]
  ret i32 %result
}
define void @k(ptr %lock, ptr %count, ptr %in, ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %from = getelementptr inbounds i32, ptr %in, i64 %l
  %more = load i32, ptr %from, align 4
  %y = call i32 @take(ptr %lock, ptr %count, i32 %more)
  %to = getelementptr inbounds i32, ptr %out, i64 %l
  store i32 %y, ptr %to, align 4
  ret void
}
