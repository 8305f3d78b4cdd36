; An atomic builtin becomes an atomic instruction.
; kernel: k
; step: simplify
; CHECK: atomicrmw add ptr
; CHECK-NOT: call i32 @__acpp_sscp_atomic
declare i32 @__acpp_sscp_atomic_fetch_add_i32(i32, i32, i32, ptr, i32)
define void @k(ptr %p) {
  %old = call i32 @__acpp_sscp_atomic_fetch_add_i32(i32 0, i32 0, i32 3, ptr %p, i32 1)
  ret void
}
