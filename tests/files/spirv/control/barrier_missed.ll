; kernel: k
; target: spirv:opencl
; step: entry
; CHECK: @sinter.arrivals = internal addrspace(3) global [3 x i32]
; CHECK: define internal i32 @k.item
; CHECK: switch i32
; CHECK: define spir_kernel void @k(ptr addrspace(1) noalias
; CHECK: @__sinter_spirv_op_ControlBarrier__all(i32 2, i32 1, i32
; CHECK: @k.item(
; The work-items with a large index end before the barrier.
declare i64 @__acpp_sscp_get_local_id_x()
declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
define void @k(ptr noalias %p, i64 %n) {
entry:
  %i = call i64 @__acpp_sscp_get_local_id_x()
  %early = icmp uge i64 %i, %n
  br i1 %early, label %done, label %wait
wait:
  call void @__acpp_sscp_work_group_barrier(i32 3, i32 4)
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %q
  br label %done
done:
  ret void
}
