; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpLoad
; CHECK: OpStore
define void @k(ptr %p, ptr %q) {
  %a = load volatile i24, ptr %p
  store volatile i24 %a, ptr %q
  %b = load volatile i128, ptr %p
  store volatile i128 %b, ptr %q
  %c = load volatile <3 x i32>, ptr %p
  store volatile <3 x i32> %c, ptr %q
  %d = load volatile { i8, [2 x i16] }, ptr %p
  store volatile { i8, [2 x i16] } %d, ptr %q
  %e = load volatile <5 x float>, ptr %p
  store volatile <5 x float> %e, ptr %q
  ret void
}
