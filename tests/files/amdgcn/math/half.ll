; kernel: k
; target: amdgpu:gfx90a
; CHECK: v_add_f16
define void @k(ptr %p, half %x) {
  %v = load half, ptr %p
  %s = fadd half %v, %x
  store half %s, ptr %p
  ret void
}
