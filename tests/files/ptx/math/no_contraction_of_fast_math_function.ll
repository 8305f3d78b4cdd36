; kernel: k
; target: ptx:sm_90
; no-contraction
; CHECK: mul.rn.f32
; CHECK: add.rn.f32
; CHECK-NOT: fma
define void @k(ptr %p, float %a, float %b) #0 {
  %m = fmul float %a, %b
  %r = fadd float %m, 1.0
  store float %r, ptr %p
  ret void
}
attributes #0 = { "unsafe-fp-math"="true" }
