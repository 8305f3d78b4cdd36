; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpConvertSToF
; CHECK: OpConvertUToF
; CHECK: OpFConvert
; CHECK: OpFAdd
; CHECK: OpFConvert
; CHECK: OpConvertFToS
; CHECK: OpConvertFToU
define void @k(ptr %p, ptr %q) {
  %i = load volatile <2 x i32>, ptr %p
  %a = sitofp <2 x i32> %i to <2 x float>
  %b = uitofp <2 x i32> %i to <2 x double>
  %c = fpext <2 x float> %a to <2 x double>
  %d = fadd <2 x double> %b, %c
  %e = fptrunc <2 x double> %d to <2 x half>
  store volatile <2 x half> %e, ptr %q
  %f = fptosi <2 x double> %d to <2 x i64>
  store volatile <2 x i64> %f, ptr %q
  %g = fptoui <2 x float> %a to <2 x i8>
  store volatile <2 x i8> %g, ptr %q
  ret void
}
