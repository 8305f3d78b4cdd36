; A loop that tests local memory for some rounds ends.
; kernel: k
; target: x86-64-v3
; REMARK-NOT: warning
@flag = internal addrspace(3) global i32 undef
declare i32 @__acpp_sscp_atomic_load_i32(i32, i32, i32, ptr)
define void @k(ptr %out) {
  br label %wait
wait:
  %rounds = phi i32 [ 0, %0 ], [ %more, %wait ]
  %x = call i32 @__acpp_sscp_atomic_load_i32(i32 1, i32 1, i32 2, ptr addrspacecast (ptr addrspace(3) @flag to ptr))
  %more = add i32 %rounds, 1
  %early = icmp ult i32 %rounds, 100
  %unset = icmp eq i32 %x, 0
  %again = and i1 %early, %unset
  br i1 %again, label %wait, label %end
end:
  store i32 %rounds, ptr %out
  ret void
}
