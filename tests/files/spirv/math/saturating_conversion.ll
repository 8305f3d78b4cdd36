; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: SaturatedConversion
; CHECK: SaturatedConversion
; CHECK: OpConvertFToS
; CHECK: OpConvertFToU
declare i8 @llvm.fptosi.sat.i8.f32(float)
declare <2 x i32> @llvm.fptoui.sat.v2i32.v2f64(<2 x double>)
define void @k(ptr %p, float %a) {
  %b = call i8 @llvm.fptosi.sat.i8.f32(float %a)
  store volatile i8 %b, ptr %p
  %c = load volatile <2 x double>, ptr %p
  %d = call <2 x i32> @llvm.fptoui.sat.v2i32.v2f64(<2 x double> %c)
  store volatile <2 x i32> %d, ptr %p
  ret void
}
