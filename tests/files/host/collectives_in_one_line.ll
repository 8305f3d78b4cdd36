; Collectives of a group take the lanes of a row for consecutive work-items. Rows of two lines of 32
; would have other ones, so half of the lanes of these rows have none.
; kernel: sum
; target: x86-64-v4
; dimensions: 2
; group-size: 32,4,1
; rows: 64
; step: entry
; CHECK: define internal i32 @sum.item
; CHECK: = add nuw nsw i64 %s0.local_id.y, 1
; CHECK: = add nuw nsw i64 %s1.local_id.y, 1
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_local_id_y()
declare i32 @__acpp_sscp_work_group_inclusive_scan_i32(i32, i32) convergent
define void @sum(ptr %out) {
  %x = call i64 @__acpp_sscp_get_local_id_x()
  %y = call i64 @__acpp_sscp_get_local_id_y()
  %before = mul i64 %y, 32
  %i = add i64 %before, %x
  %value = trunc i64 %i to i32
  %sum = call i32 @__acpp_sscp_work_group_inclusive_scan_i32(i32 0, i32 %value)
  %to = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %sum, ptr %to, align 4
  ret void
}
