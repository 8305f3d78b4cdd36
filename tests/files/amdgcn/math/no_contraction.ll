; kernel: k
; target: amdgpu:gfx90a
; no-contraction
; CHECK: v_mul_f32
; CHECK: v_add_f32
; CHECK-NOT: v_fma
; CHECK-NOT: v_mac
define void @k(ptr %p, float %x, float %y) {
  %v = load float, ptr %p
  %m = fmul contract float %x, %v
  %a = fadd contract float %m, %y
  store float %a, ptr %p
  ret void
}
