; Only what the kernel refers to is read from the image.
; kernel: used
; step: parse
; CHECK: define void @used
; CHECK: define internal void @helper
; CHECK-NOT: @other
; CHECK-NOT: @table
@table = global [4 x i32] zeroinitializer
define void @used(ptr %p) {
  call void @helper(ptr %p)
  ret void
}
define internal void @helper(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define void @other(ptr %p) {
  %v = load i32, ptr @table
  store i32 %v, ptr %p
  ret void
}
