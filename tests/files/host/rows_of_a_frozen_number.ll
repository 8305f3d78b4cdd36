; A number that is the same distance away in each lane, and that may be poison, is frozen once for the
; row: a branch on it would be undefined otherwise.
; kernel: k
; target: x86-64-v3
; dimensions: 1
; group-size: 64,1,1
; rows: 8
; step: entry
; CHECK: define internal void @k
; CHECK: freeze i64
; CHECK: insertelement <8 x i64>
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %data, i64 %n, i64 %by, i64 %m) {
entry:
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %start = shl nuw nsw i64 %n, %by
  %near = add nsw i64 %l, %m
  %i = add i64 %start, %near
  %frozen = freeze i64 %i
  %in = icmp ult i64 %frozen, 1000
  br i1 %in, label %some, label %end
some:
  %at = getelementptr i64, ptr %data, i64 %frozen
  store i64 %frozen, ptr %at, align 8
  br label %end
end:
  ret void
}
