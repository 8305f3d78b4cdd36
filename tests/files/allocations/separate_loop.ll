; A coefficient is loaded once where stores of the loop are to another allocation.
; kernel: k
; target: ptx:sm_90
; allocations: 0,1
; step: optimise
; CHECK: load float
; CHECK: loop:
; CHECK: store float
define void @k(ptr %out, ptr %coefficient, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %c = load float, ptr %coefficient
  %to = getelementptr float, ptr %out, i64 %i
  %x = sitofp i64 %i to float
  %y = fmul float %c, %x
  store float %y, ptr %to
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
