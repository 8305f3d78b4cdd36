; Code for a launch of one dimension has no loops over the others and reads no sizes of theirs.
; kernel: fill
; dimensions: 1
; step: optimise
; CHECK: define void @fill
; CHECK: @llvm.memset
; CHECK-NOT: local_id.y
; CHECK-NOT: local_id.z
; CHECK-NOT: num_groups.y
; CHECK-NOT: udiv
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
declare i64 @__acpp_sscp_get_group_id_y()
define void @fill(ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %n = call i64 @__acpp_sscp_get_local_size_x()
  %y = call i64 @__acpp_sscp_get_group_id_y()
  %base = mul i64 %g, %n
  %i = add i64 %base, %l
  %p = getelementptr inbounds i64, ptr %out, i64 %i
  store i64 %y, ptr %p, align 8
  ret void
}
