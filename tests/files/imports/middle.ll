declare void @last(ptr, i32)
define void @middle(ptr %p) {
  call void @last(ptr %p, i32 42)
  ret void
}
define void @unrelated() {
  ret void
}
