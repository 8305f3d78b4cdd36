; The element count of an alloca counts.
; kernel: k
; ERROR: 100000000 bytes of private memory per work-item
define void @k(ptr %p, i64 %i, i8 %v) {
  %a = alloca i8, i64 100000000
  %slot = getelementptr i8, ptr %a, i64 %i
  store volatile i8 %v, ptr %slot
  %w = load volatile i8, ptr %a
  store i8 %w, ptr %p
  ret void
}
