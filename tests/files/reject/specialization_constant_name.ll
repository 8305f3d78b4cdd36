; kernel: k
; constant: widht=bytes:0x01000000
; ERROR: there is no IR constant `widht` in the kernel's image; did you mean `width`?
@width = internal constant { i32 } { i32 4 }
declare ptr @__sinter_specialization_constant(ptr)
define void @k(ptr %p) {
  %w = call ptr @__sinter_specialization_constant(ptr @width)
  %v = load i32, ptr %w
  store i32 %v, ptr %p
  ret void
}
