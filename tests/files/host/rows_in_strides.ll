; A counter of 32 bits that wraps, from the ID in steps of the global size: each line begins at a
; multiple of its length, so that no lane wraps within one and the row loads lanes side by side.
; kernel: k
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; rows: 16
; step: entry
; REMARK: remark: rows of 16 work-items
; CHECK: phi i64
; CHECK: @llvm.masked.load.v16f32
; CHECK-NOT: gather
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_num_groups_x()
define void @k(ptr %in, ptr %out, i32 %n) {
entry:
  %local = call i64 @__acpp_sscp_get_local_id_x()
  %group = call i64 @__acpp_sscp_get_group_id_x()
  %groups = call i64 @__acpp_sscp_get_num_groups_x()
  %first = shl i64 %group, 6
  %id = add i64 %first, %local
  %start = trunc i64 %id to i32
  %size = shl i64 %groups, 6
  %step = trunc i64 %size to i32
  %any = icmp ult i32 %start, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %wide = zext i32 %i to i64
  %at = getelementptr float, ptr %in, i64 %wide
  %value = load float, ptr %at
  %more = fadd float %sum, %value
  %next = add i32 %i, %step
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %total = phi float [ 0.0, %entry ], [ %more, %loop ]
  %to = getelementptr float, ptr %out, i64 %id
  store float %total, ptr %to
  ret void
}
