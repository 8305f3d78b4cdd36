; kernel: k
; target: spirv:vulkan
; CHECK: OpFunctionCall
; CHECK: OpFunctionParameter
; CHECK: OpReturnValue
define void @k(ptr %p, double %x0, double %y) {
  %x1 = call double @llvm.fma.f64(double %x0, double %y, double %x0)
  %x2 = call double @llvm.fma.f64(double %x1, double %y, double %x1)
  %x3 = call double @llvm.fma.f64(double %x2, double %y, double %x2)
  %x4 = call double @llvm.fma.f64(double %x3, double %y, double %x3)
  %x5 = call double @llvm.fma.f64(double %x4, double %y, double %x4)
  %x6 = call double @llvm.fma.f64(double %x5, double %y, double %x5)
  %x7 = call double @llvm.fma.f64(double %x6, double %y, double %x6)
  %x8 = call double @llvm.fma.f64(double %x7, double %y, double %x7)
  %x9 = call double @llvm.fma.f64(double %x8, double %y, double %x8)
  %x10 = call double @llvm.fma.f64(double %x9, double %y, double %x9)
  %x11 = call double @llvm.fma.f64(double %x10, double %y, double %x10)
  %x12 = call double @llvm.fma.f64(double %x11, double %y, double %x11)
  %x13 = call double @llvm.fma.f64(double %x12, double %y, double %x12)
  %x14 = call double @llvm.fma.f64(double %x13, double %y, double %x13)
  %x15 = call double @llvm.fma.f64(double %x14, double %y, double %x14)
  %x16 = call double @llvm.fma.f64(double %x15, double %y, double %x15)
  %x17 = call double @llvm.fma.f64(double %x16, double %y, double %x16)
  %x18 = call double @llvm.fma.f64(double %x17, double %y, double %x17)
  %x19 = call double @llvm.fma.f64(double %x18, double %y, double %x18)
  %x20 = call double @llvm.fma.f64(double %x19, double %y, double %x19)
  store double %x20, ptr %p
  ret void
}
declare double @llvm.fma.f64(double, double, double)
