; kernel: k
; target: ptx:sm_90
; ERROR: a conversion between floating-point numbers and integers of more than 128 bits
declare i256 @llvm.fptosi.sat.i256.f64(double)
define void @k(ptr %p, double %d) {
  %v = call i256 @llvm.fptosi.sat.i256.f64(double %d)
  store i256 %v, ptr %p
  ret void
}
