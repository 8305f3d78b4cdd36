; A relaxed operation of a device is not one of the system.
; kernel: k
; target: ptx:sm_90
; CHECK: atom.relaxed.gpu.global.add.u32
; CHECK: red.relaxed.sys.global.add.u32
; CHECK-NOT: isspacep
declare i32 @__acpp_sscp_atomic_fetch_add_u32(i32, i32, i32, ptr, i32)
define void @k(ptr %p, i32 %n) {
  %a = call i32 @__acpp_sscp_atomic_fetch_add_u32(i32 4, i32 0, i32 3, ptr %p, i32 %n)
  %b = call i32 @__acpp_sscp_atomic_fetch_add_u32(i32 0, i32 0, i32 4, ptr %p, i32 %a)
  ret void
}
