; kernel: k
; constant: blok=i32:16
; ERROR: no IR constant `blok`
; ERROR: did you mean `block`?
@block = external global i32
define void @k(ptr %p) {
  %b = load i32, ptr @block
  store i32 %b, ptr %p
  ret void
}
