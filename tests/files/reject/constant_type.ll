; kernel: k
; constant: block=f32:16
; ERROR: `block` takes i32, but the value given is f32:16
@block = external global i32
define void @k(ptr %p) {
  %b = load i32, ptr @block
  store i32 %b, ptr %p
  ret void
}
