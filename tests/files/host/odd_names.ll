; Names that IR text must quote survive.
; kernel: odd "name" \41
; CHECK: odd
define void @"odd \22name\22 \5C41"(ptr %p) {
  store i32 1, ptr %p
  ret void
}
