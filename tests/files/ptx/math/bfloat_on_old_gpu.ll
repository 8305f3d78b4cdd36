; kernel: k
; target: ptx:sm_70:60
; CHECK: f32
define void @k(ptr %p) {
  %a = load bfloat, ptr %p
  %b = fadd bfloat %a, %a
  %c = fpext bfloat %b to float
  store float %c, ptr %p
  ret void
}
