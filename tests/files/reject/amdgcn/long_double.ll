; kernel: k
; target: amdgpu:gfx90a
; ERROR: a value of the type `x86_fp80` cannot be used on amdgpu:gfx90a
define void @k(ptr %p) {
  %a = load x86_fp80, ptr %p
  %b = fadd x86_fp80 %a, %a
  store x86_fp80 %b, ptr %p
  ret void
}
