; kernel: k
; target: amdgpu:gfx1201
; CHECK: .amdhsa_wavefront_size32 1
; CHECK: .wavefront_size: 32
define void @k(ptr %x, ptr %y, i64 %i) {
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %q = getelementptr float, ptr %y, i64 %i
  %w = load float, ptr %q
  %s = fadd float %v, %w
  store float %s, ptr %q
  ret void
}
