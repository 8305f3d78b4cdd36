; A kernel whose address is taken cannot become the body of a loop.
; kernel: k
; ERROR: device code that calls the kernel or takes its address
@table = global ptr @k
define void @k(ptr %p) {
  %q = load ptr, ptr @table
  store ptr %q, ptr %p
  store ptr @k, ptr %p
  ret void
}
