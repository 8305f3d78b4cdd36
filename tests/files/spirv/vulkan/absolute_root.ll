; kernel: k
; target: spirv:vulkan
; no-optimise
; Mesa takes roots for positive numbers, and leaves out the absolute value of the root of -0.0.
; CHECK: FAbs
; CHECK: Sqrt
; CHECK: OpBitwiseAnd
define void @k(ptr %p, float %x) {
  %size = call float @llvm.fabs.f32(float %x)
  %root = call float @llvm.sqrt.f32(float %size)
  %result = call float @llvm.fabs.f32(float %root)
  store float %result, ptr %p
  ret void
}
declare float @llvm.fabs.f32(float)
declare float @llvm.sqrt.f32(float)
