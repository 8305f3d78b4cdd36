; kernel: k
; target: amdgpu:gfx1100
; CHECK: global_atomic_add_u32
; CHECK-NOT: flat_atomic
declare i32 @__acpp_sscp_atomic_fetch_add_u32(i32, i32, i32, ptr, i32)
define void @k(ptr %p, ptr %o, i32 %n) {
  %r = call i32 @__acpp_sscp_atomic_fetch_add_u32(i32 0, i32 0, i32 3, ptr %p, i32 %n)
  store i32 %r, ptr %o
  ret void
}
