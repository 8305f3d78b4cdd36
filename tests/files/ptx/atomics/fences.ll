; kernel: k
; target: ptx:sm_90
; CHECK: fence.acq_rel.sys;
; CHECK: fence.sc.gpu;
define void @k(ptr %p) {
  store i32 1, ptr %p
  fence release
  store i32 2, ptr %p
  fence syncscope("agent") seq_cst
  store i32 3, ptr %p
  ret void
}
