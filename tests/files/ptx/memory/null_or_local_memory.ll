; kernel: k
; target: ptx:sm_90
; A choice of an address in local memory and the null pointer is one between pointers to local
; memory. Where it becomes a generic pointer again, the null pointer does too.
; CHECK: selp.b64
; CHECK-SAME: 4294967295
; CHECK: cvta.shared.u64
; CHECK: setp.eq.s64
; CHECK-SAME: 4294967295
; CHECK: selp.b64
; CHECK-SAME: 0
declare ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
declare void @__acpp_sscp_work_group_barrier(i32, i32)

define void @k(ptr %p, ptr %q, i64 %wanted) {
  %memory = call ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
  %generic = addrspacecast ptr addrspace(3) %memory to ptr
  store volatile i64 %wanted, ptr %generic
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 4)
  %none = icmp slt i64 %wanted, 0
  %element = getelementptr i64, ptr %generic, i64 %wanted
  %chosen = select i1 %none, ptr null, ptr %element
  %other = load volatile i64, ptr %p
  %reads = icmp sgt i64 %other, 0
  br i1 %reads, label %read, label %keep
read:
  %value = load i64, ptr %chosen
  store volatile i64 %value, ptr %p
  br label %keep
keep:
  %bits = ptrtoint ptr %chosen to i64
  store volatile i64 %bits, ptr %q
  ret void
}
