; kernel: k
; target: spirv:vulkan
; CHECK: OpExtInstImport "GLSL.std.450"
; CHECK: OpBitCount
define void @k(ptr %p, i64 %x, i8 %y) {
  %a = call i64 @llvm.ctpop.i64(i64 %x)
  %b = call i64 @llvm.ctlz.i64(i64 %x, i1 false)
  %c = call i64 @llvm.cttz.i64(i64 %x, i1 false)
  %d = call i8 @llvm.sadd.sat.i8(i8 %y, i8 100)
  %e = call i8 @llvm.ctlz.i8(i8 %y, i1 false)
  %s = add i64 %a, %b
  %t = add i64 %s, %c
  store i64 %t, ptr %p
  %q = getelementptr i8, ptr %p, i64 8
  %f = add i8 %d, %e
  store i8 %f, ptr %q
  ret void
}
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.ctlz.i8(i8, i1)
