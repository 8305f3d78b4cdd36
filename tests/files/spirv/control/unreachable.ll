; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpUnreachable
define void @k(ptr %p, i1 %c) {
  br i1 %c, label %a, label %b
a:
  store volatile i32 2, ptr %p
  unreachable
b:
  ret void
}
