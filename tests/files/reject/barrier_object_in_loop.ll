; kernel: k
; ERROR: private memory reserved in a loop of a kernel with barriers
; ERROR: reserve it before the loop
declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
define void @k(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %previous = phi ptr [ null, %entry ], [ %node, %loop ]
  %node = alloca ptr
  store ptr %previous, ptr %node
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  store ptr %node, ptr %out
  ret void
}
