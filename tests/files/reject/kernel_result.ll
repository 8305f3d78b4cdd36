; kernel: k
; ERROR: a kernel that returns `i32`
define i32 @k(ptr %p) {
  ret i32 0
}
