; Work-items that run one by one take turns in a collective: each sees what those before it have
; done, so accesses of what they have in common are not said to be independent.
; kernel: scan
; target: x86-64-v3
; dimensions: 1
; group-size: 64,1,1
; rows: off
; step: entry
; CHECK: define internal i32 @scan.item
; CHECK: store i32
; CHECK: = alloca [64 x i8], align 64
; CHECK-NOT: , !llvm.access.group
declare i64 @__acpp_sscp_get_local_id_x()
declare i32 @__acpp_sscp_work_group_inclusive_scan_i32(i32, i32) convergent
define void @scan() {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %x = trunc i64 %l to i32
  %sum = call i32 @__acpp_sscp_work_group_inclusive_scan_i32(i32 0, i32 %x)
  ret void
}
