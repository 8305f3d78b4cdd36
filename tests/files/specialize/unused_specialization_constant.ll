; A specialization constant that another kernel reads is no mistake.
; kernel: k
; step: specialize
; constant: other=bytes:0x01000000
; CHECK: define void @k
@other = internal constant { i32 } { i32 4 }
declare ptr @__sinter_specialization_constant(ptr)
define void @k(ptr %p) {
  store i32 3, ptr %p
  ret void
}
define void @second(ptr %p) {
  %o = call ptr @__sinter_specialization_constant(ptr @other)
  %v = load i32, ptr %o
  store i32 %v, ptr %p
  ret void
}
