; kernel: k
; target: spirv:vulkan
; CHECK: OpEntryPoint
; CHECK-NOT: OpenCL.std
define void @k(ptr %p, float %x, float %y, double %z) {
  %a = frem float %x, %y
  %b = call float @llvm.sin.f32(float %a)
  %c = call float @llvm.fma.f32(float %a, float %b, float %x)
  %d = call double @llvm.fma.f64(double %z, double %z, double %z)
  %e = call double @llvm.log.f64(double %d)
  %f = call float @llvm.ldexp.f32.i32(float %c, i32 3)
  %g = call float @llvm.pow.f32(float %f, float %y)
  store float %g, ptr %p
  %q = getelementptr double, ptr %p, i64 1
  store double %e, ptr %q
  ret void
}
declare float @llvm.sin.f32(float)
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.log.f64(double)
declare float @llvm.ldexp.f32.i32(float, i32)
declare float @llvm.pow.f32(float, float)
