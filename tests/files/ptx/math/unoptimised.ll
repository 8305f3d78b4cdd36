; kernel: k
; target: ptx:sm_90
; no-optimise
; CHECK: bar.sync 0;
; CHECK: .local
declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
define void @k(ptr %p) {
  %a = alloca i32
  store volatile i32 3, ptr %a
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %v = load volatile i32, ptr %a
  store i32 %v, ptr %p
  ret void
}
