; Rows are not worth it where LLVM puts the rounds of each work-item's loop side by side.
; kernel: k
; target: x86-64-v3
; dimensions: 1
; group-size: 64,1,1
; REMARK: remark: work-items run one by one: a row would take about
; CHECK: vpaddd
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %data, ptr %sums, i64 %n) {
entry:
  %i = call i64 @__acpp_sscp_get_local_id_x()
  %first = shl i64 %i, 5
  br label %loop
loop:
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %number = add i64 %first, %k
  %at = getelementptr i8, ptr %data, i64 %number
  %byte = load i8, ptr %at
  %wide = zext i8 %byte to i32
  %a = mul i32 %wide, 77
  %b = xor i32 %a, 1234
  %c = lshr i32 %b, 3
  %d = add i32 %c, %wide
  %e = mul i32 %d, 13
  %f = and i32 %e, 4095
  %g = xor i32 %f, %c
  %h = sub i32 %g, %wide
  %more = add i32 %sum, %h
  %next = add nuw nsw i64 %k, 1
  %last = icmp eq i64 %next, %n
  br i1 %last, label %done, label %loop
done:
  %to = getelementptr i32, ptr %sums, i64 %i
  store i32 %more, ptr %to
  ret void
}
