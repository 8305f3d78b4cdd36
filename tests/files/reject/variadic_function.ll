; kernel: k
; ERROR: the variadic function `sum(int, ...)` cannot be used on
declare void @llvm.va_start.p0(ptr)
define void @k(ptr %p) {
  %v = call i32 (i32, ...) @_Z3sumiz(i32 1, i32 5)
  store i32 %v, ptr %p
  ret void
}
define internal i32 @_Z3sumiz(i32 %n, ...) noinline {
  %list = alloca [24 x i8]
  call void @llvm.va_start.p0(ptr %list)
  %v = va_arg ptr %list, i32
  ret i32 %v
}
