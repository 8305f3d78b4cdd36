; kernel: k
; target: ptx:sm_90
; CHECK: .global .align 4 .u32 v
@v = internal global i32 0
@a = internal alias i32, ptr @v
define void @k(ptr %p) {
  %x = load volatile i32, ptr @a
  store volatile i32 %x, ptr @v
  store i32 %x, ptr %p
  ret void
}
