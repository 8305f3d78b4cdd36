; The pointer is one to global memory, so nothing asks where it leads.
; kernel: k
; target: ptx:sm_90
; CHECK: atom.acq_rel.gpu.global.add.u32
; CHECK-NOT: isspacep
declare i32 @__acpp_sscp_atomic_fetch_add_u32(i32, i32, i32, ptr, i32)
define void @k(ptr %p, i32 %n) {
  %a = call i32 @__acpp_sscp_atomic_fetch_add_u32(i32 4, i32 3, i32 3, ptr %p, i32 %n)
  ret void
}
