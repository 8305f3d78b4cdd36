; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: Alignment 64
; CHECK: Alignment 4
; CHECK: Alignment 16
; CHECK: OpVariable
; CHECK: Function
; CHECK: OpVariable
; CHECK: OpVariable
; CHECK: OpPtrAccessChain
define void @k(ptr %p, i32 %j) {
  %a = alloca [16 x i32], align 64
  %b = alloca i32, i32 5
  %c = alloca { i8, <4 x float> }
  %d = getelementptr [16 x i32], ptr %a, i64 0, i32 %j
  store volatile i32 4, ptr %d
  %e = getelementptr i32, ptr %b, i32 %j
  store volatile i32 5, ptr %e
  %f = getelementptr { i8, <4 x float> }, ptr %c, i64 0, i32 1, i32 %j
  store volatile float 1.0, ptr %f
  %v = load volatile i8, ptr %c
  store volatile i8 %v, ptr %p
  ret void
}
