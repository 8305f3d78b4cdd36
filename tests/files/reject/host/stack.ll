; The alignment of variables makes a stack frame larger than their sizes say.
; kernel: k
; ERROR: bytes of stack for a work-item's values and private memory
; ERROR: the limit is 1.5 MiB; use smaller arrays and vectors, or several kernels
define void @k(ptr %out) {
  %a = alloca i8, align 1048576
  %b = alloca i8, align 1048576
  store volatile ptr %a, ptr %out
  store volatile ptr %b, ptr %out
  ret void
}
