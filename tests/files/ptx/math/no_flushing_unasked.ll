; kernel: k
; target: ptx:sm_90
; CHECK-NOT: .ftz
define void @k(ptr %p, float %a, float %b) #0 {
  %r = fadd float %a, %b
  store float %r, ptr %p
  ret void
}
attributes #0 = { "denormal-fp-math"="preserve-sign,preserve-sign" "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
