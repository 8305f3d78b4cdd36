; kernel: k
; ERROR: assembly at module level
module asm ".globl x"
define void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
