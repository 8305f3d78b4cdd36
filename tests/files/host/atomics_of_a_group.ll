; A group runs on one thread: atomics in its local memory, of any scope and order, and those whose
; scope is the group or less, in any memory, lock nothing.
; kernel: k
; target: x86-64-v3
; CHECK: vaddss
; CHECK-NOT: lock
; CHECK-NOT: xchg
; CHECK-NOT: mfence
@l = internal addrspace(3) global i64 undef
declare i32 @__acpp_sscp_atomic_fetch_add_u32(i32, i32, i32, ptr, i32)
declare i32 @__acpp_sscp_atomic_fetch_xor_i32(i32, i32, i32, ptr, i32)
declare float @__acpp_sscp_atomic_fetch_add_f32(i32, i32, i32, ptr, float)
declare i64 @__acpp_sscp_atomic_fetch_min_i64(i32, i32, i32, ptr, i64)
declare i32 @__acpp_sscp_atomic_exchange_i32(i32, i32, i32, ptr, i32)
declare void @__acpp_sscp_atomic_store_i32(i32, i32, i32, ptr, i32)
declare i32 @__acpp_sscp_atomic_load_i32(i32, i32, i32, ptr)
declare i1 @__acpp_sscp_cmp_exch_strong_i32(i32, i32, i32, i32, ptr, ptr, i32)
declare void @__acpp_sscp_fence(i32, i32)
define void @k(ptr %p, ptr %q, i32 %n, float %x, i64 %m) {
  %l = addrspacecast ptr addrspace(3) @l to ptr
  %a = call i32 @__acpp_sscp_atomic_fetch_add_u32(i32 1, i32 0, i32 3, ptr %l, i32 %n)
  %b = call i32 @__acpp_sscp_atomic_fetch_xor_i32(i32 4, i32 3, i32 2, ptr %p, i32 %a)
  %c = call float @__acpp_sscp_atomic_fetch_add_f32(i32 1, i32 4, i32 4, ptr %l, float %x)
  %d = call i64 @__acpp_sscp_atomic_fetch_min_i64(i32 0, i32 0, i32 0, ptr %p, i64 %m)
  %e = call i32 @__acpp_sscp_atomic_exchange_i32(i32 1, i32 4, i32 4, ptr %l, i32 %b)
  call void @__acpp_sscp_atomic_store_i32(i32 1, i32 4, i32 4, ptr %l, i32 %e)
  %f = call i1 @__acpp_sscp_cmp_exch_strong_i32(i32 0, i32 4, i32 4, i32 1, ptr %p, ptr %q, i32 %e)
  call void @__acpp_sscp_fence(i32 4, i32 2)
  %g = call i32 @__acpp_sscp_atomic_load_i32(i32 4, i32 1, i32 2, ptr %p)
  store i32 %g, ptr %q
  store i64 %d, ptr %q
  store float %c, ptr %q
  ret void
}
