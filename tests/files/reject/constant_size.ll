; kernel: k
; constant: block=bytes:0x1000
; ERROR: `block` takes i32 of 4 bytes, but the value given is 2 bytes
@block = external global i32
define void @k(ptr %p) {
  %b = load i32, ptr @block
  store i32 %b, ptr %p
  ret void
}
