; A loop that tests global memory may wait for another group, which another thread runs.
; kernel: k
; target: x86-64-v3
; REMARK-NOT: warning
declare i32 @__acpp_sscp_atomic_load_i32(i32, i32, i32, ptr)
define void @k(ptr %flag, ptr %out) {
  br label %wait
wait:
  %x = call i32 @__acpp_sscp_atomic_load_i32(i32 0, i32 1, i32 3, ptr %flag)
  %again = icmp eq i32 %x, 0
  br i1 %again, label %wait, label %end
end:
  store i32 %x, ptr %out
  ret void
}
