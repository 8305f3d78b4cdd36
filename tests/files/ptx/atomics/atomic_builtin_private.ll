; kernel: k
; target: ptx:sm_90
; CHECK-NOT: atom
; CHECK-NOT: isspacep
declare i32 @__acpp_sscp_atomic_fetch_add_u32(i32, i32, i32, ptr, i32)
define void @k(ptr %p, i32 %n, i64 %i) {
  %m = alloca [4 x i32]
  store i32 %n, ptr %m
  %q = getelementptr i32, ptr %m, i64 %i
  %a = call i32 @__acpp_sscp_atomic_fetch_add_u32(i32 4, i32 4, i32 3, ptr %q, i32 %n)
  %b = call i32 @__acpp_sscp_atomic_fetch_add_u32(i32 3, i32 3, i32 0, ptr %q, i32 %n)
  %v = load i32, ptr %m
  store i32 %v, ptr %p
  ret void
}
