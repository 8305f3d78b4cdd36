; kernel: k
; target: amdgpu:gfx90a
; ERROR: inline assembly cannot be used on amdgpu:gfx90a
define void @k(ptr %p) {
  call void asm sideeffect "s_nop 0", ""()
  store i32 1, ptr %p
  ret void
}
