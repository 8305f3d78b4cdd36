; As `rows_of_a_warp`, but rows have no form for a value in it: a warning says so.
; kernel: add
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; REMARK: warning: work-items run one by one: a value of type `i128`; if they read what others
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
  %found = load i32, ptr addrspace(3) %other, align 4
  %wide = zext i32 %found to i128
  %square = mul i128 %wide, %wide
  %rest = urem i128 %square, 4294967291
  %z = trunc i128 %rest to i32
  %to = getelementptr inbounds i32, ptr %out, i64 %l
  store i32 %z, ptr %to, align 4
  ret void
}
