; Accesses get the scope of their allocation, also through phis and selections of one allocation.
; kernel: k
; target: ptx:sm_90
; step: allocations
; allocations: 0,1,2
; CHECK: load float, ptr %in, align 4, !alias.scope !0, !noalias !3
; CHECK: store float %x, ptr %to, align 4, !alias.scope !6, !noalias !7
; CHECK: %y = load float, ptr %either, align 4
; CHECK: store float %y, ptr %third, align 4, !alias.scope !8, !noalias !9
; CHECK: !0 = !{!1}
; CHECK: !1 = !{!"sinter.allocation.1", !2}
; CHECK: !3 = !{!4, !5}
; CHECK: !6 = !{!4}
; CHECK: !7 = !{!1, !5}
; CHECK: !8 = !{!5}
; CHECK: !9 = !{!1, !4}
; CHECK-NOT: ptr %either, align 4, !alias.scope
define void @k(ptr %in, ptr %out, ptr %third, i1 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %to = phi ptr [ %out, %entry ], [ %to.next, %loop ]
  %x = load float, ptr %in, align 4
  store float %x, ptr %to, align 4
  %either = select i1 %c, ptr %in, ptr %out
  %y = load float, ptr %either, align 4
  store float %y, ptr %third, align 4
  %to.next = getelementptr float, ptr %to, i64 1
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
