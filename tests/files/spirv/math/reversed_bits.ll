; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpCapability BitInstructions
; CHECK: OpExtension "SPV_KHR_bit_instructions"
; CHECK: OpBitReverse
; CHECK-NOT: Shader
declare i32 @llvm.bitreverse.i32(i32)
define void @k(ptr %p, i32 %a) {
  %b = call i32 @llvm.bitreverse.i32(i32 %a)
  store volatile i32 %b, ptr %p
  ret void
}
