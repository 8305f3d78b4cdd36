; A private array, set to zeros at once and accessed by an index that all lanes share: the words of
; all lanes lie side by side, so that each access is one of a vector.
; kernel: sums
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; rows: 16
; step: entry
; CHECK: @sums.item(
; CHECK: alloca [2560 x i8], align 64
; CHECK: store <16 x i32> zeroinitializer
; CHECK: getelementptr [64 x i8], ptr
; CHECK: load <16 x float>
; CHECK: fadd <16 x float>
; CHECK: store <16 x float>
; CHECK-NOT: gather
; CHECK-NOT: scatter
; CHECK-NOT: call void @llvm.memset
declare i64 @__acpp_sscp_get_local_id_x()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @sums(ptr %in, ptr %out, i64 %n, i64 %last) {
entry:
  %all = alloca [40 x float], align 16
  call void @llvm.memset.p0.i64(ptr align 16 %all, i8 0, i64 160, i1 false)
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %from = getelementptr inbounds float, ptr %in, i64 %l
  %x = load float, ptr %from, align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = urem i64 %i, 40
  %word = getelementptr inbounds [40 x float], ptr %all, i64 0, i64 %at
  %before = load float, ptr %word, align 4
  %sum = fadd float %before, %x
  store float %sum, ptr %word, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %place = getelementptr inbounds [40 x float], ptr %all, i64 0, i64 %last
  %result = load float, ptr %place, align 4
  %to = getelementptr inbounds float, ptr %out, i64 %l
  store float %result, ptr %to, align 4
  ret void
}
