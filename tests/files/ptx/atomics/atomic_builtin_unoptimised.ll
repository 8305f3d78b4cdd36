; kernel: k
; target: ptx:sm_90
; no-optimise
; CHECK: isspacep.local
; CHECK: atom.acquire.gpu.add.u32
declare i32 @__acpp_sscp_atomic_fetch_add_u32(i32, i32, i32, ptr, i32)
define void @k(ptr %p, i32 %n, i64 %i) {
  %m = alloca [4 x i32]
  store i32 %n, ptr %m
  %a = call i32 @__acpp_sscp_atomic_fetch_add_u32(i32 4, i32 4, i32 3, ptr %m, i32 %n)
  %b = call i32 @__acpp_sscp_atomic_fetch_add_u32(i32 4, i32 4, i32 3, ptr %p, i32 %n)
  %v = load i32, ptr %m
  store i32 %v, ptr %p
  ret void
}
