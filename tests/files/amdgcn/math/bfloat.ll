; kernel: k
; target: amdgpu:gfx90a
; CHECK: v_add_f32
define void @k(ptr %p, bfloat %x) {
  %v = load bfloat, ptr %p
  %s = fadd bfloat %v, %x
  store bfloat %s, ptr %p
  ret void
}
