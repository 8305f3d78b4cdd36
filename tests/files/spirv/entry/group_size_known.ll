; kernel: k
; target: spirv:opencl
; group-size: 8,4,2
; CHECK: OpExecutionMode %1 LocalSize 8 4 2
define void @k(ptr %p, ptr %q) {
  %a = load volatile i32, ptr %p
  %b = load volatile i32, ptr %q
  %r0 = add i32 %a, %b
  store volatile i32 %r0, ptr %q
  ret void
}
