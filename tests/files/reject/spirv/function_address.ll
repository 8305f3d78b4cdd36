; kernel: k
; target: spirv:opencl
; ERROR: the address of the function `f`
define internal i32 @f() {
  ret i32 1
}
define void @k(ptr %p) {
  store ptr @f, ptr %p
  ret void
}
