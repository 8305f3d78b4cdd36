; kernel: k
; target: ptx:sm_90
; ERROR: a cast between two address spaces
declare i32 @__acpp_sscp_atomic_fetch_add_u32(i32, i32, i32, ptr, i32)
define void @k(ptr %p, i32 %n) {
  %c = call i32 @__acpp_sscp_atomic_fetch_add_u32(i32 1, i32 0, i32 2, ptr %p, i32 %n)
  ret void
}
