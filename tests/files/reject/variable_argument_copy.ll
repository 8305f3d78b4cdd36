; kernel: k
; ERROR: a list of variable arguments (`va_list`) cannot be used on
declare void @llvm.va_copy.p0(ptr, ptr)
define void @k(ptr %p, ptr %list) {
  call void @llvm.va_copy.p0(ptr %p, ptr %list)
  ret void
}
