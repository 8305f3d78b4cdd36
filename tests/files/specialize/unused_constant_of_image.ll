; A constant that another kernel uses is no mistake.
; kernel: k
; step: specialize
; constant: other=i32:1
; CHECK: define void @k
@other = external global i32
define void @k(ptr %p) {
  store i32 3, ptr %p
  ret void
}
define void @second(ptr %p) {
  %v = load i32, ptr @other
  store i32 %v, ptr %p
  ret void
}
