; kernel: k
; target: spirv:opencl:-bit-instructions
; no-optimise
; CHECK: OpShiftRightLogical
; CHECK-NOT: OpBitReverse
; CHECK-NOT: OpExtension
declare i32 @llvm.bitreverse.i32(i32)
define void @k(ptr %p, i32 %a) {
  %b = call i32 @llvm.bitreverse.i32(i32 %a)
  store volatile i32 %b, ptr %p
  ret void
}
