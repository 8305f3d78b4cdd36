; A kernel that requires sub-groups of 8 runs in rows of 8: an exchange of neighbours is a shuffle,
; and a vote is a test of the mask's bits.
; kernel: exchange
; target: x86-64-v3
; dimensions: 1
; group-size: 32,1,1
; sub-group-size: 8
; step: optimise
; CHECK: define void @exchange
; CHECK: shufflevector <8 x i32>
; CHECK: bitcast <8 x i1>
; CHECK: store <8 x i32>
; CHECK-NOT: __sinter_sub_group
declare i64 @__acpp_sscp_get_local_id_x()
declare i32 @__acpp_sscp_sub_group_permute_i32(i32, i32)
declare zeroext i1 @__acpp_sscp_sub_group_any(i1 zeroext)
define void @exchange(ptr %data) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %at = getelementptr inbounds i32, ptr %data, i64 %l
  %x = load i32, ptr %at, align 4
  %other = call i32 @__acpp_sscp_sub_group_permute_i32(i32 %x, i32 1)
  %negative = icmp slt i32 %other, 0
  %some = call zeroext i1 @__acpp_sscp_sub_group_any(i1 zeroext %negative)
  %sum = select i1 %some, i32 0, i32 %other
  store i32 %sum, ptr %at, align 4
  ret void
}
