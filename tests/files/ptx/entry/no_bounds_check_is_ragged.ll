; kernel: k
; target: ptx:sm_90
; CHECK: setp
declare i1 @__sinter_ragged_groups()
define void @k(ptr %p, i64 %i, i64 %n) {
  %r = call i1 @__sinter_ragged_groups()
  %in = icmp ult i64 %i, %n
  %go = or i1 %r, %in
  br i1 %go, label %body, label %done
body:
  store i32 1, ptr %p
  br label %done
done:
  ret void
}
