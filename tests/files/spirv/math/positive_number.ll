; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpSConvert
; CHECK: OpUConvert
define void @k(ptr %p, ptr %q) {
  %a = load volatile i32, ptr %p
  %r0 = zext nneg i32 %a to i64
  store volatile i64 %r0, ptr %q
  %b = load volatile i32, ptr %q
  %r1 = zext i32 %b to i64
  store volatile i64 %r1, ptr %q
  ret void
}
