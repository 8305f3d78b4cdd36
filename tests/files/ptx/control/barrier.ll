; kernel: k
; target: ptx:sm_90
; CHECK: st.shared
; CHECK: bar.sync 0;
; CHECK: ld.shared
declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
@tile = internal addrspace(3) global [64 x i32] undef, align 4
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
define void @k(ptr %p, i64 %j) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %q = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %l
  store i32 1, ptr addrspace(3) %q
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %r = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %j
  %v = load i32, ptr addrspace(3) %r
  store i32 %v, ptr %p
  ret void
}
