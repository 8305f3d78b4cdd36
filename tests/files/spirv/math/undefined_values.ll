; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpConstantNull
; CHECK: OpCompositeInsert
; CHECK: OpCopyObject
; CHECK-NOT: OpUndef
define void @k(ptr %p, i32 %j) {
  %a = insertelement <4 x i32> poison, i32 %j, i32 1
  store volatile <4 x i32> %a, ptr %p
  %b = freeze i32 undef
  store volatile i32 %b, ptr %p
  %c = freeze <4 x i32> %a
  store volatile <4 x i32> %c, ptr %p
  %d = freeze { i32, float } undef
  store volatile { i32, float } %d, ptr %p
  ret void
}
