; A kernel in HIP or CUDA writes to two places and reads the second one, which it has written last
; itself, where a loop with barriers may be skipped: nothing asks for rows of a warp.
; kernel: add
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; step: entry
; CHECK: @add.item(
; CHECK-NOT: <32 x i32>
@values = internal addrspace(3) global [128 x i32] undef, align 4
declare i64 @__acpp_sscp_get_local_id_x()
declare void @__acpp_sscp_work_group_barrier(i32, i32)
define void @add(ptr %in, ptr %out, i64 %size) "sinter-warps" {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %from = getelementptr inbounds i32, ptr %in, i64 %l
  %x = load i32, ptr %from, align 4
  %low = getelementptr inbounds [128 x i32], ptr addrspace(3) @values, i64 0, i64 %l
  store volatile i32 0, ptr addrspace(3) %low, align 4
  %upper = add i64 %l, 64
  %own = getelementptr inbounds [128 x i32], ptr addrspace(3) @values, i64 0, i64 %upper
  store volatile i32 %x, ptr addrspace(3) %own, align 4
  %any = icmp ugt i64 %size, 1
  br i1 %any, label %exchange, label %end
exchange:
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %before = sub i64 %upper, 1
  %other = getelementptr inbounds [128 x i32], ptr addrspace(3) @values, i64 0, i64 %before
  %y = load volatile i32, ptr addrspace(3) %other, align 4
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  store volatile i32 %y, ptr addrspace(3) %own, align 4
  br label %end
end:
  %z = load volatile i32, ptr addrspace(3) %own, align 4
  %to = getelementptr inbounds i32, ptr %out, i64 %l
  store i32 %z, ptr %to, align 4
  ret void
}
