; A row of four lines: a load whose address has no y is one vector for all lines, one whose address
; has no x one scalar for each, and the store one vector for each.
; kernel: k
; target: x86-64-v4
; dimensions: 2
; group-size: 16,8,1
; rows: 64
; step: entry
; REMARK: remark: rows of 64 work-items in 4 lines
; CHECK: load <16 x float>
; CHECK: fmul contract <64 x float>
; CHECK: store <16 x float>
; CHECK: store <16 x float>
; CHECK: store <16 x float>
; CHECK: store <16 x float>
; CHECK: add nuw nsw i64 %s0.local_id.y, 4
; CHECK-NOT: llvm.masked
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_local_id_y()
define void @k(ptr %a, ptr %b, ptr %c, i64 %n) {
entry:
  %x = call i64 @__acpp_sscp_get_local_id_x()
  %y = call i64 @__acpp_sscp_get_local_id_y()
  %row = mul i64 %y, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %left = add i64 %row, %k
  %left.at = getelementptr float, ptr %a, i64 %left
  %l = load float, ptr %left.at, align 4
  %down = mul i64 %k, %n
  %right = add i64 %down, %x
  %right.at = getelementptr float, ptr %b, i64 %right
  %r = load float, ptr %right.at, align 4
  %product = fmul contract float %l, %r
  %more = fadd contract float %sum, %product
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  %to = add i64 %row, %x
  %to.at = getelementptr float, ptr %c, i64 %to
  store float %more, ptr %to.at, align 4
  ret void
}
