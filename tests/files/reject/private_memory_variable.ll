; kernel: k
; ERROR: a private array of variable length
; ERROR: give the array a constant size
define void @k(ptr %p, i64 %i, i8 %v) {
  %a = alloca i8, i64 %i
  %slot = getelementptr i8, ptr %a, i64 %i
  store volatile i8 %v, ptr %slot
  %w = load volatile i8, ptr %a
  store i8 %w, ptr %p
  ret void
}
