; kernel: k
; target: amdgpu:gfx90a
; CHECK: global_atomic_add
declare i32 @__acpp_sscp_atomic_fetch_add_i32(i32, i32, i32, ptr, i32)
@g = internal global [4 x i32] zeroinitializer
define void @k(ptr %p, i32 %s, i32 %v) {
  %a = call i32 @__acpp_sscp_atomic_fetch_add_i32(i32 %s, i32 0, i32 4, ptr getelementptr (i8, ptr @g, i64 4), i32 %v)
  store i32 %a, ptr %p
  %b = call i32 @__acpp_sscp_atomic_fetch_add_i32(i32 %s, i32 0, i32 4, ptr @g, i32 %v)
  store i32 %b, ptr %p
  ret void
}
