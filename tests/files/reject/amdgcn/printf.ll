; kernel: k
; target: amdgpu:gfx90a
; ERROR: `printf` cannot be used on amdgpu:gfx90a
; ERROR: write the values to memory
@format = private constant [4 x i8] c"%d\0A\00"
declare i32 @printf(ptr, ...)
define void @k(i32 %n) {
  %r = call i32 (ptr, ...) @printf(ptr @format, i32 %n)
  ret void
}
