; What the code generator turns into a call that nothing provides is refused, not left to the loader.
; kernel: k
; ERROR: an operation that the code generator turns into a call to `__udivti3`
define void @k(ptr %p) {
  %a = load i128, ptr %p
  %q = getelementptr i128, ptr %p, i64 1
  %b = load i128, ptr %q
  %d = udiv i128 %a, %b
  store i128 %d, ptr %p
  ret void
}
