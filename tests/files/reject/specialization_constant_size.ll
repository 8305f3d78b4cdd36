; kernel: k
; constant: width=bytes:0x0100000000000000
; ERROR: `width` takes at most 4 bytes, but the value given is 8 bytes
@width = internal constant { i32 } { i32 4 }
declare ptr @__sinter_specialization_constant(ptr)
define void @k(ptr %p) {
  %w = call ptr @__sinter_specialization_constant(ptr @width)
  %v = load i32, ptr %w
  store i32 %v, ptr %p
  ret void
}
