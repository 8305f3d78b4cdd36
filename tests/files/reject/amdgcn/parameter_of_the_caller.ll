; kernel: k
; target: amdgpu:gfx90a
; ERROR: a kernel parameter with the attribute `inalloca`
define void @k(ptr %q, ptr inalloca(i32) %p) {
  %v = load i32, ptr %p
  store i32 %v, ptr %q
  ret void
}
