; kernel: k
; target: ptx:sm_90
; ERROR: a conversion between floating-point numbers and integers of more than 64 bits
declare i128 @llvm.fptosi.sat.i128.f64(double)
define void @k(ptr %p, double %d) {
  %v = call i128 @llvm.fptosi.sat.i128.f64(double %d)
  store i128 %v, ptr %p
  ret void
}
