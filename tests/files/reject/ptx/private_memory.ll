; kernel: k
; target: ptx:sm_90
; ERROR: bytes of private memory per work-item
; ERROR: the limit is 512 KiB
define void @k(ptr %p, i64 %i) {
  %a = alloca [600000 x i8]
  %q = getelementptr i8, ptr %a, i64 %i
  store volatile i8 1, ptr %q
  ret void
}
