; A divergent loop runs for a row of work-items: one vector operation for all of them, until no lane
; is left; the results are stored together.
; kernel: count
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; rows: 16
; step: optimise
; CHECK: define void @count
; CHECK: fmul <16 x float>
; CHECK: bitcast <16 x i1>
; CHECK: store <16 x i32>
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
define void @count(ptr %in, ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %base = mul i64 %g, 64
  %i = add i64 %base, %l
  %from = getelementptr inbounds float, ptr %in, i64 %i
  %start = load float, ptr %from, align 4
  br label %loop
loop:
  %x = phi float [ %start, %0 ], [ %square, %loop ]
  %rounds = phi i32 [ 0, %0 ], [ %next, %loop ]
  %square = fmul float %x, %x
  %next = add i32 %rounds, 1
  %large = fcmp ogt float %square, 1.0e+04
  %late = icmp ugt i32 %next, 100
  %done = or i1 %large, %late
  br i1 %done, label %end, label %loop
end:
  %to = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %next, ptr %to, align 4
  ret void
}
