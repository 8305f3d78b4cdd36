; kernel: k
; ERROR: the IR constant `block` has no value
; ERROR: --constant block=TYPE:VALUE
@block = external global i32
define void @k(ptr %p) {
  %b = load i32, ptr @block
  store i32 %b, ptr %p
  ret void
}
