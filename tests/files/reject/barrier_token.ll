; kernel: k
; ERROR: a value of the type `token` that outlives a barrier
declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
declare token @llvm.experimental.convergence.anchor()
define void @k(ptr %out) convergent {
  %t = call token @llvm.experimental.convergence.anchor()
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3) [ "convergencectrl"(token %t) ]
  store i32 1, ptr %out
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3) [ "convergencectrl"(token %t) ]
  ret void
}
