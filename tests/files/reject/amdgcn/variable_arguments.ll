; kernel: k
; target: amdgpu:gfx90a
; ERROR: a list of variable arguments (`va_list`)
define void @k(ptr %p, ptr %list) {
  %v = va_arg ptr %list, i32
  store i32 %v, ptr %p
  ret void
}
