; kernel: k
; target: amdgpu:gfx90a
; ERROR: the thread-local variable `t`
@t = internal thread_local global i32 0
define void @k(ptr %p) {
  %v = load volatile i32, ptr @t
  store i32 %v, ptr %p
  ret void
}
