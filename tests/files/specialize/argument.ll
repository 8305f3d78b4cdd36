; A specialised argument becomes a literal, and the parameter is dead.
; kernel: k
; step: dead-arguments
; arg: 1=i32:5
; CHECK: store i32 10
define void @k(ptr %p, i32 %n) {
  %m = mul i32 %n, 2
  store i32 %m, ptr %p
  ret void
}
