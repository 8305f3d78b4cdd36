; The bytes of a constant of any type, a structure and a bool among them.
; kernel: k
; step: specialize
; constant: flag=bytes:0x01
; constant: wide=bytes:0x0700000000000000
; constant: pair=bytes:0x0500000000000840
; CHECK: store volatile i8 1
; CHECK: store volatile i64 7
; CHECK: store volatile i32 5
; CHECK: store volatile float 2.125000e+00
@flag = external global i8
@wide = external global i64
@pair = external global { i32, float }, align 8
define void @k(ptr %p) {
  %a = load i8, ptr @flag
  store volatile i8 %a, ptr %p
  %b = load i64, ptr @wide
  store volatile i64 %b, ptr %p
  %c = load i32, ptr @pair
  store volatile i32 %c, ptr %p
  %d = load float, ptr getelementptr (i8, ptr @pair, i64 4)
  store volatile float %d, ptr %p
  ret void
}
