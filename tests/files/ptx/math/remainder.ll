; kernel: k
; target: ptx:sm_90
; CHECK-NOT: .extern
define void @k(ptr %p, float %a, float %b) {
  %m = frem float %a, %b
  store float %m, ptr %p
  ret void
}
