; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpCapability GenericPointer
; CHECK: OpSpecConstantOp
; CHECK: Bitcast
; CHECK: OpSpecConstantOp
; CHECK: InBoundsPtrAccessChain
; CHECK: OpConstantComposite
@m = internal global [3 x i32] [i32 1, i32 2, i32 3]
@t = internal constant [3 x ptr] [ptr @m, ptr getelementptr (i8, ptr @m, i64 4), ptr null]
define void @k(ptr %p, i64 %i) {
  %a = getelementptr ptr, ptr @t, i64 %i
  %v = load ptr, ptr %a
  %w = load i32, ptr %v
  store i32 %w, ptr %p
  ret void
}
