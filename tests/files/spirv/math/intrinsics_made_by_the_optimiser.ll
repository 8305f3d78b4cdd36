; kernel: k
; target: spirv:opencl
; CHECK: OpIMul
; CHECK: OpIAdd
; CHECK: OpBitwiseAnd
declare i32 @llvm.bswap.i32(i32)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i1 @llvm.is.fpclass.f32(float, i32)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
define void @k(ptr %p, i32 %a, float %f) {
  %b = call i32 @llvm.bswap.i32(i32 %a)
  %c = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %b, i32 %a)
  %d = extractvalue { i32, i1 } %c, 1
  store volatile i1 %d, ptr %p
  %v = load volatile <4 x i32>, ptr %p
  %e = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  store volatile i32 %e, ptr %p
  %g = call i1 @llvm.is.fpclass.f32(float %f, i32 7)
  store volatile i1 %g, ptr %p
  %m = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -16)
  store volatile i32 1, ptr %m
  ret void
}
