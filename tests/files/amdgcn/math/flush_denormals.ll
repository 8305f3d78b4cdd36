; kernel: k
; target: amdgpu:gfx90a
; flush-denormals
; CHECK: .amdhsa_float_denorm_mode_32 0
define void @k(ptr %x, ptr %y, i64 %i) {
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %q = getelementptr float, ptr %y, i64 %i
  %w = load float, ptr %q
  %s = fadd float %v, %w
  store float %s, ptr %q
  ret void
}
