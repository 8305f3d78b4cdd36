; kernel: k
; target: ptx:sm_90
; ERROR: the initial value of `a`, that names the variable itself
@a = internal global ptr @b
@b = internal global ptr @a
define void @k(ptr %p) {
  %v = load volatile ptr, ptr @a
  store ptr %v, ptr %p
  ret void
}
