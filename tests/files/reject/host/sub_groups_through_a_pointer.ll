; A kernel that requires a size for its sub-groups and cannot run in rows is refused.
; kernel: indirect
; target: x86-64-v3
; dimensions: 1
; group-size: 32,1,1
; sub-group-size: 8
; ERROR: sub-groups of 8 work-items in a kernel with a call through a pointer
declare i64 @__acpp_sscp_get_local_id_x()
declare i32 @__acpp_sscp_sub_group_permute_i32(i32, i32)
define void @indirect(ptr %data, ptr %function) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %at = getelementptr inbounds i32, ptr %data, i64 %l
  %x = load i32, ptr %at, align 4
  %other = call i32 @__acpp_sscp_sub_group_permute_i32(i32 %x, i32 1)
  %y = call i32 %function(i32 %other)
  store i32 %y, ptr %at, align 4
  ret void
}
