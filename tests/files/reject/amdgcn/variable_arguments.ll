; kernel: k
; target: amdgpu:gfx90a
; ERROR: a function with a variable number of arguments
define void @k(ptr %p, ptr %list) {
  %v = va_arg ptr %list, i32
  store i32 %v, ptr %p
  ret void
}
