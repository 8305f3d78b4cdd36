; kernel: k
; target: ptx:sm_90
; CHECK: .b8 d[2] = {128, 63}
; CHECK: .b8 e[2] = {0, 62}
@d = internal global bfloat 1.0
@e = internal global half 1.5
define void @k(ptr %p) {
  %v = load volatile bfloat, ptr @d
  store volatile bfloat %v, ptr %p
  store volatile bfloat 2.0, ptr @d
  %w = load volatile half, ptr @e
  store volatile half %w, ptr %p
  store volatile half 2.0, ptr @e
  ret void
}
