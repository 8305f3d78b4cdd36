; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpBranchConditional
; CHECK: printf
declare void @llvm.trap()
define void @k(ptr %p, i1 %c) {
  br i1 %c, label %a, label %b
a:
  call void @llvm.trap()
  unreachable
b:
  store i32 1, ptr %p
  ret void
}
