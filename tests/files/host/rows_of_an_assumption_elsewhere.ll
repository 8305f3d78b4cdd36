; What is assumed behind a branch says nothing about the work-items that take another way: an index
; that may wrap in 32 bits is no row of neighbours.
; kernel: assumed
; target: x86-64-v4
; dimensions: 1
; rows: 8
; step: entry
; CHECK: define internal void @assumed.item
; CHECK: llvm.masked.scatter
; CHECK-NOT: llvm.masked.store
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
declare void @llvm.assume(i1)
define void @assumed(ptr %in, ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %n = call i64 @__acpp_sscp_get_local_size_x()
  %base = mul i64 %g, %n
  %i = add i64 %base, %l
  %from = getelementptr inbounds i64, ptr %in, i64 %i
  %flag = load volatile i64, ptr %from, align 8
  %few = icmp eq i64 %flag, 0
  br i1 %few, label %promise, label %end
promise:
  %small = icmp ult i64 %i, 4
  call void @llvm.assume(i1 %small)
  store volatile i64 1, ptr %from, align 8
  br label %end
end:
  %narrow = trunc i64 %i to i32
  %index = sext i32 %narrow to i64
  %to = getelementptr inbounds i32, ptr %out, i64 %index
  store i32 7, ptr %to, align 4
  ret void
}
