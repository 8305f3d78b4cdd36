; kernel: k
; target: spirv:opencl
; CHECK: OpSource OpenCL_CPP 100000
define void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
