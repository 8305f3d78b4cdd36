; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpLabel
; CHECK: OpVariable
; CHECK: OpBranchConditional
define void @k(ptr %p, i32 %j, i1 %c) {
  br i1 %c, label %a, label %b
a:
  %x = alloca i32
  store volatile i32 %j, ptr %x
  %v = load volatile i32, ptr %x
  store volatile i32 %v, ptr %p
  br label %b
b:
  ret void
}
