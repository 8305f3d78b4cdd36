; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpBitcast %24 %9
; CHECK: OpBitcast %30 %11
; CHECK: OpBitcast %34 %12
define void @k(ptr %p, ptr %q) {
  %a = load volatile float, ptr %p
  %b = bitcast float %a to i32
  store volatile i32 %b, ptr %q
  %c = load volatile <2 x i32>, ptr %p
  %d = bitcast <2 x i32> %c to i64
  store volatile i64 %d, ptr %q
  %e = bitcast i64 %d to <4 x half>
  store volatile <4 x half> %e, ptr %q
  %f = bitcast i64 %d to i64
  store volatile i64 %f, ptr %q
  %g = bitcast i32 %b to <32 x i1>
  %h = extractelement <32 x i1> %g, i32 30
  store volatile i1 %h, ptr %q
  ret void
}
