; kernel: k
; target: spirv:opencl
; step: entry
; CHECK: @__sinter_spirv_op_ControlBarrier__all(i32 noundef 2, i32 noundef 2, i32
; CHECK-NOT: sinter.arrivals
; CHECK-NOT: k.item
; All of a group load the same bound, and branches between barriers may differ.
declare i64 @__acpp_sscp_get_local_id_x()
declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
@tile = internal addrspace(3) global [64 x i32] undef, align 4
define void @k(ptr %p, ptr %bound) {
entry:
  %i = call i64 @__acpp_sscp_get_local_id_x()
  %mine = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  %n = load i64, ptr %bound
  br label %round
round:
  %j = phi i64 [ 0, %entry ], [ %next, %meet ]
  %is_first = icmp eq i64 %i, %j
  br i1 %is_first, label %write, label %meet
write:
  store volatile i32 1, ptr addrspace(3) %mine
  br label %meet
meet:
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 4)
  %next = add i64 %j, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %round, label %done
done:
  %v = load i32, ptr addrspace(3) @tile
  store i32 %v, ptr %p
  ret void
}
