; A value that a work-item has stored is loaded again behind a function of the sub-group, since the
; one before it has stored there in between.
; kernel: exchange
; target: x86-64-v3
; dimensions: 1
; group-size: 32,1,1
; sub-group-size: 8
; step: entry
; CHECK: @exchange.item(
; CHECK: store <8 x i32> <i32 1,
; CHECK: store <8 x i32> <i32 2,
; CHECK: load <8 x i32>
declare i64 @__acpp_sscp_get_local_id_x()
declare i32 @__acpp_sscp_sub_group_permute_i32(i32, i32)
declare zeroext i1 @__acpp_sscp_sub_group_any(i1 zeroext)
define void @exchange(ptr %cells, ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %own = getelementptr inbounds i32, ptr %cells, i64 %l
  %next = getelementptr inbounds i8, ptr %own, i64 4
  store i32 1, ptr %own, align 4
  %unused = call i32 @__acpp_sscp_sub_group_permute_i32(i32 0, i32 1)
  store i32 2, ptr %next, align 4
  %vote = call zeroext i1 @__acpp_sscp_sub_group_any(i1 zeroext true)
  %x = load i32, ptr %own, align 4
  %to = getelementptr inbounds i32, ptr %out, i64 %l
  store i32 %x, ptr %to, align 4
  ret void
}
