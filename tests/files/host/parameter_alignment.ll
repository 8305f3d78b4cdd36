; Parameters are loaded with the alignment that the argument buffer gives them.
; kernel: k
; step: entry
; CHECK: %parameter.1 = load i64, ptr %address.1, align 8
define void @k(ptr %p, i64 %v) {
  store i64 %v, ptr %p
  ret void
}
