; Items of a required sub-group that take one lock wait for each other for ever, so there is a
; warning. The second loop is that of one item, which takes the lock for its sub-group.
; kernel: k
; target: x86-64-v3
; dimensions: 1
; group-size: 64,1,1
; sub-group-size: 16
; REMARK: remark: rows of 16 work-items
; REMARK: warning: a loop waits for a lock
; REMARK: remark: a loop waits for a lock
declare i32 @__acpp_sscp_get_subgroup_local_id()
declare i32 @__acpp_sscp_sub_group_broadcast_i32(i32, i32) convergent
declare i32 @__acpp_sscp_atomic_exchange_i32(i32, i32, i32, ptr, i32)
declare void @__acpp_sscp_atomic_store_i32(i32, i32, i32, ptr, i32)
define void @k(ptr %lock, ptr %sum, ptr %other) {
  br label %wait
wait:
  %x = call i32 @__acpp_sscp_atomic_exchange_i32(i32 0, i32 1, i32 3, ptr %lock, i32 1)
  %again = icmp ne i32 %x, 0
  br i1 %again, label %wait, label %held
held:
  %old = load i32, ptr %sum
  %new = add i32 %old, 1
  store i32 %new, ptr %sum
  call void @__acpp_sscp_atomic_store_i32(i32 0, i32 4, i32 3, ptr %lock, i32 0)
  %lane = call i32 @__acpp_sscp_get_subgroup_local_id()
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %alone, label %all
alone:
  %y = call i32 @__acpp_sscp_atomic_exchange_i32(i32 0, i32 1, i32 3, ptr %other, i32 1)
  %once.more = icmp ne i32 %y, 0
  br i1 %once.more, label %alone, label %free
free:
  call void @__acpp_sscp_atomic_store_i32(i32 0, i32 4, i32 3, ptr %other, i32 0)
  br label %all
all:
  %z = phi i32 [ %new, %held ], [ 0, %free ]
  %sent = call i32 @__acpp_sscp_sub_group_broadcast_i32(i32 1, i32 %z)
  store i32 %sent, ptr %sum
  ret void
}
