; kernel: k
; target: spirv:opencl
; ERROR: `printf` with a format that is not a constant
declare i32 @printf(ptr, ...)
define void @k(ptr %format) {
  %r = call i32 (ptr, ...) @printf(ptr %format)
  ret void
}
