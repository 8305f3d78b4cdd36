; kernel: k
; target: ptx:sm_90
; ERROR: the intrinsic `llvm.set.rounding`
declare void @llvm.set.rounding(i32)
define void @k(ptr %p) {
  call void @llvm.set.rounding(i32 1)
  ret void
}
