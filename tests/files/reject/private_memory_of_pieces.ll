; kernel: k
; no-optimise
; ERROR: bytes of private memory per work-item
declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
define void @k(ptr %out, i64 %i) {
  %array = alloca [500000 x i8]
  %p = getelementptr i8, ptr %array, i64 %i
  store volatile i8 1, ptr %p
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %v = load volatile i8, ptr %p
  store i8 %v, ptr %out
  ret void
}
