; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpConstantNull
; CHECK: OpVariable
; CHECK: CrossWorkgroup
@m = internal global [4 x i32] undef
define void @k(ptr %p) {
  store volatile i32 1, ptr @m
  ret void
}
