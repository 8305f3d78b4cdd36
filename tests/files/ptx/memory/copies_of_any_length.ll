; kernel: k
; target: ptx:sm_90
; CHECK: ld.global
; CHECK: st.shared
@t = internal addrspace(3) global [1024 x i8] undef
declare void @llvm.memmove.p3.p0.i64(ptr addrspace(3), ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @k(ptr %p, i64 %n) {
  call void @llvm.memmove.p3.p0.i64(ptr addrspace(3) @t, ptr %p, i64 %n, i1 false)
  %v = load volatile i8, ptr addrspace(3) @t
  call void @llvm.memset.p0.i64(ptr %p, i8 %v, i64 %n, i1 false)
  ret void
}
