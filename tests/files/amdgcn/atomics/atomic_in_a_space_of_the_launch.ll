; kernel: k
; target: amdgpu:gfx90a
; CHECK: global_atomic_add
declare i32 @__acpp_sscp_atomic_fetch_add_i32(i32, i32, i32, ptr, i32)
define void @k(ptr %p, i32 %s, i32 %v) {
  %a = call i32 @__acpp_sscp_atomic_fetch_add_i32(i32 %s, i32 0, i32 4, ptr %p, i32 %v)
  ret void
}
