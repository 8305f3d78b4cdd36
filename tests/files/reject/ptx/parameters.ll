; kernel: k
; target: ptx:sm_90:80
; ERROR: 5000 bytes of kernel parameters
; ERROR: the limit is 4096 bytes
define void @k(ptr byval([4984 x i8]) align 8 %s, ptr %p, ptr %q) {
  %v = load i64, ptr %s
  store i64 %v, ptr %p
  store i64 %v, ptr %q
  ret void
}
