; kernel: k
; target: amdgpu:gfx90a:sramecc+:xnack-
; CHECK: .amdgcn_target "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"
; CHECK: .amdhsa_reserve_xnack_mask 0
define void @k(ptr %x, ptr %y, i64 %i) {
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %q = getelementptr float, ptr %y, i64 %i
  %w = load float, ptr %q
  %s = fadd float %v, %w
  store float %s, ptr %q
  ret void
}
