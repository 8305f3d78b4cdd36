; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: rotate
; CHECK: OpISub
; CHECK: rotate
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare <2 x i16> @llvm.fshr.v2i16(<2 x i16>, <2 x i16>, <2 x i16>)
define void @k(ptr %p, i32 %a, i32 %n) {
  %b = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 %n)
  store volatile i32 %b, ptr %p
  %c = load volatile <2 x i16>, ptr %p
  %d = call <2 x i16> @llvm.fshr.v2i16(<2 x i16> %c, <2 x i16> %c, <2 x i16> %c)
  store volatile <2 x i16> %d, ptr %p
  ret void
}
