; A kernel in HIP or CUDA reads what another work-item has written to local memory, without a
; barrier: it runs in rows of a warp, though single work-items would be faster.
; kernel: add
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; step: entry
; CHECK: @add.item(
; CHECK: <32 x i32>
@values = internal addrspace(3) global [64 x i32] undef, align 4
declare i64 @__acpp_sscp_get_local_id_x()
declare void @__acpp_sscp_work_group_barrier(i32, i32)
define void @add(ptr %in, ptr %out) "sinter-warps" {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %from = getelementptr inbounds i32, ptr %in, i64 %l
  %x = load i32, ptr %from, align 4
  %own = getelementptr inbounds [64 x i32], ptr addrspace(3) @values, i64 0, i64 %l
  store i32 %x, ptr addrspace(3) %own, align 4
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %next = add i64 %l, 1
  %other.index = and i64 %next, 63
  %other = getelementptr inbounds [64 x i32], ptr addrspace(3) @values, i64 0, i64 %other.index
  %y = load i32, ptr addrspace(3) %other, align 4
  %sum = add i32 %x, %y
  store i32 %sum, ptr addrspace(3) %own, align 4
  %z = load i32, ptr addrspace(3) %other, align 4
  %to = getelementptr inbounds i32, ptr %out, i64 %l
  store i32 %z, ptr %to, align 4
  ret void
}
