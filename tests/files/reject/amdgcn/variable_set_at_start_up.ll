; kernel: k
; target: amdgpu:gfx90a
; ERROR: the variable `scale`, which gets its value when the program starts,
@scale = internal global [2 x float] zeroinitializer
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]
declare float @read()
define internal void @start() {
  %v = call float @read()
  store float %v, ptr getelementptr ([2 x float], ptr @scale, i64 0, i64 1)
  ret void
}
define float @factor() {
  %v = load float, ptr getelementptr ([2 x float], ptr @scale, i64 0, i64 1)
  ret float %v
}
define void @k(ptr %p) {
  %v = call float @factor()
  store float %v, ptr %p
  ret void
}
