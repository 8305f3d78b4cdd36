; kernel: k
; target: spirv:opencl
; CHECK: OpName
; CHECK: "t"
; CHECK: Constant
; CHECK: OpConstantComposite
; CHECK: OpVariable
; CHECK: CrossWorkgroup
; CHECK: OpPtrAccessChain
@t = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
define void @k(ptr %p, i64 %i) {
  %a = getelementptr [4 x i32], ptr @t, i64 0, i64 %i
  %v = load i32, ptr %a
  store i32 %v, ptr %p
  ret void
}
