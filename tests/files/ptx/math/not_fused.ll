; kernel: k
; target: ptx:sm_90
; CHECK: mul.rn.f32
; CHECK: add.rn.f32
; CHECK-NOT: fma
define void @k(ptr %p, float %a, float %b) {
  %m = fmul float %a, %b
  %r = fadd float %m, 1.0
  store float %r, ptr %p
  ret void
}
