; Called functions are merged into the kernel, noinline ones too.
; kernel: k
; step: inline
; CHECK: define void @k
; CHECK: store i32 2
; CHECK-NOT: call
; CHECK-NOT: define internal
define void @k(ptr %p) {
  call void @a(ptr %p)
  ret void
}
define void @a(ptr %p) noinline {
  call void @b(ptr %p)
  ret void
}
define void @b(ptr %p) noinline {
  store i32 2, ptr %p
  ret void
}
