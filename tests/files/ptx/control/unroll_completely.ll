; kernel: k
; target: ptx:sm_90
; CHECK: ld.global
; CHECK-NOT: bra
define void @k(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %ap = getelementptr float, ptr %p, i64 %i
  %a = load float, ptr %ap
  %bp = getelementptr float, ptr %q, i64 %i
  %b = load float, ptr %bp
  %c = fmul float %a, %b
  %d = fmul float %c, %a
  %e = fmul float %d, %b
  %f = fmul float %e, %a
  %g = fmul float %f, %b
  %more = fadd float %sum, %g
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 40
  br i1 %done, label %exit, label %loop
exit:
  store float %more, ptr %p
  ret void
}
