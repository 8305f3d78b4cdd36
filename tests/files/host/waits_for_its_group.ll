; A loop that only tests local memory waits for an item that does not run meanwhile. The length of
; its rounds changes nothing.
; kernel: k
; target: x86-64-v3
; REMARK: warning: a loop waits for another work-item of its group
@flag = internal addrspace(3) global [2 x i32] undef
declare i64 @__acpp_sscp_get_local_id_x()
declare i32 @__acpp_sscp_atomic_load_i32(i32, i32, i32, ptr)
declare void @__acpp_sscp_atomic_store_i32(i32, i32, i32, ptr, i32)
define void @k(ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %bit = and i64 %l, 1
  %at = getelementptr [2 x i32], ptr addrspace(3) @flag, i64 0, i64 %bit
  %p = addrspacecast ptr addrspace(3) %at to ptr
  %last = icmp eq i64 %l, 31
  br i1 %last, label %set, label %wait
set:
  call void @__acpp_sscp_atomic_store_i32(i32 1, i32 4, i32 2, ptr %p, i32 1)
  br label %wait
wait:
  %rounds = phi i32 [ 0, %0 ], [ 0, %set ], [ %more, %wait ]
  %x = call i32 @__acpp_sscp_atomic_load_i32(i32 1, i32 1, i32 2, ptr %p)
  %more = add i32 %rounds, 1
  %again = icmp eq i32 %x, 0
  br i1 %again, label %wait, label %end
end:
  store i32 %rounds, ptr %out
  ret void
}
