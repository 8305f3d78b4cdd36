; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: FuncParamAttr NoAlias
; CHECK: FuncParamAttr NoWrite
; CHECK: Alignment 16
; CHECK-NOT: FuncParamAttr ByVal
define void @k(ptr noalias readonly align 16 %p, ptr %q) {
  %v = load i32, ptr %p
  store i32 %v, ptr %q
  ret void
}
