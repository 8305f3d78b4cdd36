; kernel: k
; target: amdgpu:gfx90a
; CHECK: global_store_dword
; CHECK: s_waitcnt vmcnt(0)
; CHECK: s_barrier
; CHECK: buffer_wbinvl1
declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
define void @k(ptr %p, ptr %q) {
  store i32 1, ptr %p
  call void @__acpp_sscp_work_group_barrier(i32 3, i32 3)
  %v = load i32, ptr %q
  store i32 %v, ptr %p
  ret void
}
