; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: FuncParamAttr ByVal
; CHECK: Alignment
; CHECK: FuncParamAttr ByVal
; CHECK: FuncParamAttr ByVal
; CHECK: FuncParamAttr ByVal
; CHECK: OpTypePointer CrossWorkgroup
; CHECK: OpTypeArray
; CHECK: OpTypeStruct
; CHECK: OpTypePointer Function
; CHECK: OpFunctionParameter
%S = type { i32, i64, [3 x i8] }
@l = internal addrspace(3) global i8 undef
define void @k(ptr %p, i1 %a, i8 %b, half %h, <4 x float> %v, i128 %w, ptr byval(%S) align 8 %s, double %d) {
  store volatile i1 %a, ptr %p
  store volatile i8 %b, ptr %p
  store volatile half %h, ptr %p
  store volatile <4 x float> %v, ptr %p
  store volatile i128 %w, ptr %p
  %x = getelementptr %S, ptr %s, i32 0, i32 2, i32 1
  %y = load i8, ptr %x
  store volatile i8 %y, ptr %s
  store volatile i8 %y, ptr addrspace(3) @l
  store volatile double %d, ptr %p
  ret void
}
