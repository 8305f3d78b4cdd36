; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpUConvert
; CHECK: OpSConvert
; CHECK: OpUConvert
; CHECK: OpINotEqual
; CHECK: OpSelect
; CHECK: OpSelect
define void @k(ptr %p, ptr %q) {
  %a = load volatile i8, ptr %p
  %b = zext i8 %a to i64
  store volatile i64 %b, ptr %q
  %c = sext i8 %a to i16
  store volatile i16 %c, ptr %q
  %d = trunc i64 %b to i32
  store volatile i32 %d, ptr %q
  %e = trunc i32 %d to i1
  %f = sext i1 %e to i32
  store volatile i32 %f, ptr %q
  %g = zext i1 %e to i8
  store volatile i8 %g, ptr %q
  ret void
}
