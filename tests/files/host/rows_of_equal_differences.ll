; Numbers that differ between lanes, with the same difference in each: it is that of one lane, and may
; not be poison where only that lane's is.
; kernel: k
; target: x86-64-v3
; dimensions: 1
; group-size: 64,1,1
; rows: 8
; step: entry
; CHECK: define internal void @k
; CHECK: sub
; CHECK-NOT: sub nsw
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %data, i64 %n, i64 %m) {
entry:
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %far = add i64 %l, %m
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = phi i64 [ %l, %entry ], [ %a.next, %loop ]
  %b = phi i64 [ %far, %entry ], [ %b.next, %loop ]
  %difference = sub nsw i64 %a, %b
  %at = getelementptr i64, ptr %data, i64 %i
  store i64 %difference, ptr %at, align 8
  %a.next = add i64 %a, 3
  %b.next = add i64 %b, %m
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
