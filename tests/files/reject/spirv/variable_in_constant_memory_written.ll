; kernel: k
; target: spirv:opencl:-global-variables
; ERROR: a variable `m` outside of functions
; ERROR: the device lacks `global-variables`
@m = internal global i32 5
define void @k(ptr %p) {
  store volatile i32 1, ptr @m
  ret void
}
