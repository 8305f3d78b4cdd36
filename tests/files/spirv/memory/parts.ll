; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpCapability Vector16
; CHECK: OpVectorExtractDynamic
; CHECK: OpVectorInsertDynamic
; CHECK: OpCompositeExtract
; CHECK: OpCompositeInsert
; CHECK: OpVectorShuffle
; CHECK: 0 7 4294967295 3 1 1 5 2
; CHECK: OpCompositeExtract
; CHECK: OpCompositeInsert
%S = type { i32, [2 x float] }
define void @k(ptr %p, i32 %j) {
  %v = load volatile <4 x i32>, ptr %p
  %a = extractelement <4 x i32> %v, i32 %j
  store volatile i32 %a, ptr %p
  %b = insertelement <4 x i32> %v, i32 7, i32 %j
  %c = extractelement <4 x i32> %b, i32 3
  %d = insertelement <4 x i32> %b, i32 %c, i64 0
  %e = shufflevector <4 x i32> %d, <4 x i32> %v, <8 x i32> <i32 0, i32 7, i32 poison, i32 3, i32 1, i32 1, i32 5, i32 2>
  store volatile <8 x i32> %e, ptr %p
  %s = load volatile %S, ptr %p
  %f = extractvalue %S %s, 1, 0
  %g = insertvalue %S %s, float %f, 1, 1
  store volatile %S %g, ptr %p
  ret void
}
