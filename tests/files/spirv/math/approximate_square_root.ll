; kernel: k
; target: spirv:opencl
; no-optimise
; approximate-square-root
; CHECK: native_sqrt
declare float @llvm.sqrt.f32(float)
define void @k(ptr %p, ptr %q) {
  %a = load volatile float, ptr %p
  %b = load volatile float, ptr %q
  %c = load volatile float, ptr %q
  %r0 = call float @llvm.sqrt.f32(float %a)
  store volatile float %r0, ptr %q
  ret void
}
