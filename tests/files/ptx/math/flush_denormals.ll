; kernel: k
; target: ptx:sm_90
; flush-denormals
; CHECK: add.rn.ftz.f32
define void @k(ptr %p, float %a) {
  %r = fadd float %a, 1.0
  store float %r, ptr %p
  ret void
}
