; kernel: k
; target: ptx:sm_90
; CHECK: bar.sync 0;
; CHECK-NOT: mul.hi
; CHECK-NOT: rem.u32
; CHECK: ret;
declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
@tile = internal addrspace(3) global [96 x i32] undef, align 4
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %p, i32 %n) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  br label %loop
loop:
  %i = phi i32 [ 2, %0 ], [ %next, %loop ]
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %next = add nuw nsw i32 %i, 1
  %after = add nuw nsw i32 %i, 2
  %now = urem i32 %i, 3
  %before = urem i32 %next, 3
  %last = urem i32 %after, 3
  %a = getelementptr [3 x [32 x i32]], ptr addrspace(3) @tile, i32 0, i32 %last, i64 %l
  %b = getelementptr [3 x [32 x i32]], ptr addrspace(3) @tile, i32 0, i32 %before, i64 %l
  %c = getelementptr [3 x [32 x i32]], ptr addrspace(3) @tile, i32 0, i32 %now, i64 %l
  %x = load i32, ptr addrspace(3) %a
  %y = load i32, ptr addrspace(3) %b
  %sum = add i32 %x, %y
  store i32 %sum, ptr addrspace(3) %c
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  store i32 %sum, ptr %p
  ret void
}
