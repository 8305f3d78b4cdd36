; kernel: k
; target: ptx:sm_90
; ERROR: the intrinsic `llvm.memset.element.unordered.atomic.p0.i64`
declare void @llvm.memset.element.unordered.atomic.p0.i64(ptr, i8, i64, i32)
define void @k(ptr %p, i64 %d) {
  call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 4 %p, i8 0, i64 %d, i32 4)
  ret void
}
