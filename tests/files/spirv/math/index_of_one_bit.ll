; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: 18446744073709551615
; CHECK: OpSelect
; CHECK: OpPtrAccessChain
define void @k(ptr %p, i32 %v) {
  %b = icmp eq i32 %v, 3
  %x = getelementptr i32, ptr %p, i1 %b
  store volatile i32 1, ptr %x
  ret void
}
