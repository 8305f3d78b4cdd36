; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpCopyMemorySized
; CHECK: Aligned 4
; CHECK: OpCopyMemorySized
; CHECK: Volatile|Aligned 2
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @k(ptr %p, ptr %q, i64 %n) {
  %a = alloca [64 x i8], align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %a, ptr align 4 %p, i64 64, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %q, ptr align 8 %a, i64 %n, i1 true)
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %a, i64 0, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %q, ptr %p, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %q, i8 3, i64 12, i1 false)
  ret void
}
