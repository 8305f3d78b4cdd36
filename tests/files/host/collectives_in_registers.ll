; A sum over a group runs in rows: what they have in common is a vector of the loop over them, not
; memory, and one scalar behind it.
; kernel: sum
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; step: optimise
; CHECK: define void @sum
; CHECK: fadd <16 x float>
; CHECK-NOT: alloca
; CHECK-NOT: __sinter_
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare float @__acpp_sscp_work_group_reduce_f32(i32, float) convergent
define void @sum(ptr %in, ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %base = mul i64 %g, 64
  %i = add i64 %base, %l
  %from = getelementptr inbounds float, ptr %in, i64 %i
  %x = load float, ptr %from, align 4
  %sum = call float @__acpp_sscp_work_group_reduce_f32(i32 0, float %x)
  %first = icmp eq i64 %l, 0
  br i1 %first, label %store, label %end
store:
  %to = getelementptr inbounds float, ptr %out, i64 %g
  store float %sum, ptr %to, align 4
  br label %end
end:
  ret void
}
