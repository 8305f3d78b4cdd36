; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: PtrAccessChain
; CHECK: OpStore
define void @k(ptr %p, i32 %j) {
  %a = getelementptr i32, ptr %p, <4 x i64> <i64 0, i64 1, i64 2, i64 -3>
  %b = extractelement <4 x ptr> %a, i32 %j
  store volatile i32 1, ptr %b
  ret void
}
