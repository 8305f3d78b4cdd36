; kernel: k
; ERROR: a list of variable arguments (`va_list`) cannot be used on
define void @k(ptr %p, ptr %list) {
  %v = va_arg ptr %list, i32
  store i32 %v, ptr %p
  ret void
}
