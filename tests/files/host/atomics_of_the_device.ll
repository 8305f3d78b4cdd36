; Other groups may take part in an atomic of device scope in memory that may be global, and in one
; whose scope is known at run time only.
; kernel: k
; target: x86-64-v3
; CHECK: lock addl
; CHECK: lock orl
; CHECK: lock xorl
; CHECK: mfence
declare i32 @__acpp_sscp_atomic_fetch_add_u32(i32, i32, i32, ptr, i32)
declare i32 @__acpp_sscp_atomic_fetch_or_i32(i32, i32, i32, ptr, i32)
declare i32 @__acpp_sscp_atomic_fetch_xor_i32(i32, i32, i32, ptr, i32)
declare void @__acpp_sscp_fence(i32, i32)
define void @k(ptr %p, i32 %n, i32 %scope) {
  %a = call i32 @__acpp_sscp_atomic_fetch_add_u32(i32 4, i32 0, i32 3, ptr %p, i32 %n)
  %b = call i32 @__acpp_sscp_atomic_fetch_or_i32(i32 0, i32 0, i32 4, ptr %p, i32 %n)
  %c = call i32 @__acpp_sscp_atomic_fetch_xor_i32(i32 4, i32 0, i32 %scope, ptr %p, i32 %n)
  call void @__acpp_sscp_fence(i32 4, i32 3)
  ret void
}
