; kernel: k
; target: ptx:sm_90
; CHECK: .global .align 4 .u32 counter
@counter = internal global i32 0
define void @k(ptr %p) {
  %v = load volatile i32, ptr @counter
  %w = add i32 %v, 1
  store volatile i32 %w, ptr @counter
  store i32 %w, ptr %p
  ret void
}
