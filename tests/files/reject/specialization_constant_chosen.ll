; kernel: k
; ERROR: a specialization constant that is not known when the kernel is translated
; ERROR: cannot be chosen at run time
@width = internal constant { i32 } { i32 4 }
@depth = internal constant { i32 } { i32 7 }
declare ptr @__sinter_specialization_constant(ptr)
define void @k(ptr %p, i1 %wide) {
  %id = select i1 %wide, ptr @width, ptr @depth
  %w = call ptr @__sinter_specialization_constant(ptr %id)
  %v = load i32, ptr %w
  store i32 %v, ptr %p
  ret void
}
