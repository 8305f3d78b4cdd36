define void @last(ptr %p, i32 %v) {
  store i32 %v, ptr %p
  ret void
}
