; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpConstant %5 8
; CHECK: OpIMul
; CHECK: OpPtrAccessChain
; CHECK: OpStore
%Z = type { i32, [0 x i32], i32 }
define void @k(ptr %p, i64 %i) {
  %a = getelementptr %Z, ptr %p, i64 %i, i32 2
  store i32 1, ptr %a
  %v = load volatile %Z, ptr %p
  store volatile %Z %v, ptr %p
  ret void
}
