; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpExtInst
; CHECK: floor
; CHECK-NOT: FPFastMathMode
declare float @llvm.floor.f32(float)
define void @k(ptr %p) {
  %a = load volatile float, ptr %p
  %b = call nnan float @llvm.floor.f32(float %a)
  store volatile float %b, ptr %p
  ret void
}
