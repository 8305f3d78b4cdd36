; LLVM crashes on the code of a variadic kernel whose parameters become fixed ones.
; kernel: k
; ERROR: the variadic function `k` cannot be used on
; ERROR: pass a fixed number of arguments
declare void @llvm.va_start.p0(ptr)
define void @k(ptr %p, ...) {
  call void @llvm.va_start.p0(ptr %p)
  ret void
}
