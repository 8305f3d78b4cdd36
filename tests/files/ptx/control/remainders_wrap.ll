; A sum that may wrap is divided in each iteration.
; kernel: k
; target: ptx:sm_90
; CHECK: mul.hi.u32
; CHECK: ret;
declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
define void @k(ptr %p, i32 %n, i32 %from) {
  br label %loop
loop:
  %i = phi i32 [ %from, %0 ], [ %next, %loop ]
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %now = urem i32 %i, 7
  %q = getelementptr i32, ptr %p, i32 %now
  store i32 %i, ptr %q
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
