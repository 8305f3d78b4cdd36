; A value that all rows of a tile share is loaded before the loop over them: no access of the kernel
; touches what work-items keep across barriers. The mask of full rows is a literal. The counter of
; the rounds, which the group has once, is counted outside of that loop.
; kernel: tile
; target: x86-64-v4
; dimensions: 2
; group-size: 16,16,1
; rows: 16
; step: optimise
; CHECK: define void @tile
; CHECK: s1.start:
; CHECK: = phi i64
; CHECK: load <16 x float>
; CHECK: s1.y:
; CHECK: load float
; CHECK: store <16 x float>
; CHECK: s2.y.preheader:
; CHECK: add nuw i64
; CHECK-NOT: masked
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_local_id_y()
declare void @__acpp_sscp_work_group_barrier(i32, i32)
@left = internal addrspace(3) global [256 x float] undef
@right = internal addrspace(3) global [256 x float] undef
define void @tile(ptr %out, i64 %rounds) {
  %x = call i64 @__acpp_sscp_get_local_id_x()
  %y = call i64 @__acpp_sscp_get_local_id_y()
  %row = shl i64 %y, 4
  %at = or disjoint i64 %row, %x
  %a = getelementptr inbounds float, ptr addrspace(3) @left, i64 %row
  %b = getelementptr inbounds float, ptr addrspace(3) @right, i64 %x
  %to = getelementptr inbounds float, ptr %out, i64 %at
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 4)
  %l = load float, ptr addrspace(3) %a
  %r = load float, ptr addrspace(3) %b
  %product = fmul float %l, %r
  %more = fadd float %sum, %product
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 4)
  %next = add nuw i64 %i, 1
  %again = icmp ult i64 %next, %rounds
  br i1 %again, label %loop, label %end
end:
  store float %more, ptr %to
  ret void
}
