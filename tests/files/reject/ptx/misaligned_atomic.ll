; kernel: k
; target: ptx:sm_90
; ERROR: an atomic operation on 4 bytes that are aligned to 2
define void @k(ptr %p) {
  %v = load atomic i32, ptr %p monotonic, align 2
  %w = add i32 %v, 1
  store i32 %w, ptr %p
  ret void
}
