; A kernel that cannot run in rows, here for an integer of 128 bits, and requires no size has
; sub-groups of one work-item.
; kernel: exchange
; target: x86-64-v4
; dimensions: 1
; group-size: 16,1,1
; step: entry
; CHECK: define internal void @exchange.item
; CHECK: i128
; CHECK-NOT: <16 x
; CHECK-NOT: __sinter_sub_group
declare i64 @__acpp_sscp_get_local_id_x()
declare i32 @__acpp_sscp_sub_group_permute_i32(i32, i32)
define void @exchange(ptr %data, ptr %wide) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %at = getelementptr inbounds i32, ptr %data, i64 %l
  %x = load i32, ptr %at, align 4
  %other = call i32 @__acpp_sscp_sub_group_permute_i32(i32 %x, i32 1)
  store i32 %other, ptr %at, align 4
  %from = getelementptr inbounds i128, ptr %wide, i64 %l
  %value = load i128, ptr %from, align 16
  %square = mul i128 %value, %value
  store i128 %square, ptr %from, align 16
  ret void
}
