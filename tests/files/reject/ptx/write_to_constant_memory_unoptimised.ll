; kernel: k
; target: ptx:sm_90
; no-optimise
; ERROR: a write to constant memory
define void @k(ptr addrspace(4) %p) {
  call void @llvm.memset.p4.i64(ptr addrspace(4) %p, i8 0, i64 64, i1 false)
  ret void
}
declare void @llvm.memset.p4.i64(ptr addrspace(4), i8, i64, i1)
