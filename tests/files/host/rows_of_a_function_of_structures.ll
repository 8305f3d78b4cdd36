; A structure of three numbers by value, as the ABI of x86-64 passes it, is split into scalars, and
; one in memory is copied by the function, so that it has row versions. The last takes vectors only.
; kernel: k
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; rows: 16
; step: entry
; REMARK: rows of 16 work-items
; REMARK-NOT: one work-item after another
; CHECK: define internal { <16 x float>, <16 x float>, <16 x float> } @turn.row(i16 %0, i64 %1, <16 x i32> %2, <16 x float> %3, float %4, float %5, ptr %6)
; CHECK: define internal { <16 x float>, <16 x float>, <16 x float> } @turn.row.3(i16 %0, i64 %1, <16 x i32> %2, <16 x float> %3, <16 x float> %4, <16 x float> %5, <16 x ptr> %6)
; CHECK: define internal void @k.item
; CHECK: call { <16 x float>, <16 x float>, <16 x float> } @turn.row(i16 -1, i64
; CHECK-NOT: byval
; CHECK-NOT: <2 x float>
declare i64 @__acpp_sscp_get_local_id_x()
define internal { <2 x float>, float } @turn(i32 %depth, <2 x float> %xy, float %z, ptr byval([6 x float]) align 4 %v) {
  %at = sext i32 %depth to i64
  %p = getelementptr inbounds [6 x float], ptr %v, i64 0, i64 %at
  %s = load float, ptr %p, align 4
  store float %z, ptr %v, align 4
  %x = extractelement <2 x float> %xy, i64 0
  %y = extractelement <2 x float> %xy, i64 1
  %a = fmul float %y, %s
  %first = insertelement <2 x float> poison, float %z, i64 0
  %both = insertelement <2 x float> %first, float %x, i64 1
  %end = icmp eq i32 %depth, 0
  br i1 %end, label %last, label %again
again:
  %less = add i32 %depth, -1
  %r = call { <2 x float>, float } @turn(i32 %less, <2 x float> %both, float %a, ptr byval([6 x float]) align 4 %v)
  ret { <2 x float>, float } %r
last:
  %t = insertvalue { <2 x float>, float } poison, <2 x float> %both, 0
  %u = insertvalue { <2 x float>, float } %t, float %a, 1
  ret { <2 x float>, float } %u
}
define void @k(ptr %in, ptr %depths, ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %v = alloca [6 x float], align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %v, ptr align 4 %in, i64 24, i1 false)
  %from = getelementptr inbounds i32, ptr %depths, i64 %l
  %depth = load i32, ptr %from, align 4
  %q = getelementptr inbounds [6 x float], ptr %v, i64 0, i64 3
  %number = sitofp i32 %depth to float
  store float %number, ptr %q, align 4
  %first = insertelement <2 x float> poison, float %number, i64 0
  %both = insertelement <2 x float> %first, float 2.0, i64 1
  %r = call { <2 x float>, float } @turn(i32 %depth, <2 x float> %both, float 3.0, ptr byval([6 x float]) align 4 %v)
  %pair = extractvalue { <2 x float>, float } %r, 0
  %a = extractelement <2 x float> %pair, i64 0
  %b = extractelement <2 x float> %pair, i64 1
  %c = extractvalue { <2 x float>, float } %r, 1
  %sum = fadd float %a, %b
  %all = fadd float %sum, %c
  %to = getelementptr inbounds float, ptr %out, i64 %l
  store float %all, ptr %to, align 4
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
