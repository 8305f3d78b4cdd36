; LLVM calls functions for this format, and those of libm that have their names are for another format.
; kernel: k
; ERROR: a value of the type `fp128`
define void @k(ptr %p) {
  %a = load fp128, ptr %p
  %b = fadd fp128 %a, %a
  store fp128 %b, ptr %p
  ret void
}
