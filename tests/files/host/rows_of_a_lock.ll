; Items of a row that take one lock wait for each other for ever.
; kernel: k
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; rows: 16
; REMARK: remark: rows of 16 work-items
; REMARK: remark: a loop waits for a lock
declare i32 @__acpp_sscp_atomic_exchange_i32(i32, i32, i32, ptr, i32)
declare void @__acpp_sscp_atomic_store_i32(i32, i32, i32, ptr, i32)
define void @k(ptr %lock, ptr %sum) {
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
  ret void
}
