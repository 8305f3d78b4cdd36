; kernel: k
; arg: 4=i32:1
; ERROR: no argument `4`
define void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
