; kernel: k
; target: amdgpu:gfx90a
; CHECK: s_mul_hi_u32
define void @k(ptr %p, i128 %x, i128 %y) {
  %q = udiv i128 %x, %y
  %m = mul i128 %q, %y
  store i128 %m, ptr %p
  ret void
}
