; A kernel that requires no size of sub-groups has those that are usual: rows of 32, or of 16 in
; groups of 16.
; kernel: exchange
; target: x86-64-v4
; dimensions: 1
; group-size: 16,1,1
; step: optimise
; CHECK: define void @exchange
; CHECK: load <16 x i32>
; CHECK: shufflevector <16 x i32>
; CHECK-NOT: __sinter_sub_group
declare i64 @__acpp_sscp_get_local_id_x()
declare i32 @__acpp_sscp_sub_group_permute_i32(i32, i32)
define void @exchange(ptr %data) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %at = getelementptr inbounds i32, ptr %data, i64 %l
  %x = load i32, ptr %at, align 4
  %other = call i32 @__acpp_sscp_sub_group_permute_i32(i32 %x, i32 1)
  store i32 %other, ptr %at, align 4
  ret void
}
