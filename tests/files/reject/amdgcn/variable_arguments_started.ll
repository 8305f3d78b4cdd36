; kernel: k
; target: amdgpu:gfx90a
; ERROR: the variadic function `f`
declare void @llvm.va_start.p0(ptr)
define internal i32 @f(i32 %x, ...) {
  %l = alloca [24 x i8]
  call void @llvm.va_start.p0(ptr %l)
  %v = load i32, ptr %l
  ret i32 %v
}
define void @k(ptr %p, i32 %m) {
  %a = call i32 (i32, ...) @f(i32 1, i32 %m)
  store i32 %a, ptr %p
  ret void
}
