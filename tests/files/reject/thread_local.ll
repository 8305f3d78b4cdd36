; kernel: k
; ERROR: the thread-local variable `counter`
@counter = internal thread_local global i32 0
define void @k(ptr %p) {
  %v = load i32, ptr @counter
  %w = add i32 %v, 1
  store i32 %w, ptr @counter
  store i32 %w, ptr %p
  ret void
}
