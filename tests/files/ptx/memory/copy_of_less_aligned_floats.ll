; A copy of less aligned or volatile bytes, or of another length, is none of vectors.
; kernel: k
; target: ptx:sm_90
; CHECK: ld.global
; CHECK-NOT: v4
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @k(ptr %a, ptr %b, ptr %c, ptr %d) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %a, ptr align 8 %b, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %c, ptr align 16 %d, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %c, ptr align 16 %b, i64 16, i1 true)
  ret void
}
