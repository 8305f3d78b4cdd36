; kernel: k
; target: amdgpu:gfx90a
; ERROR: an atomic operation on 4 bytes that are aligned to 1
define void @k(ptr %p) {
  %v = load atomic i32, ptr %p monotonic, align 1
  store i32 %v, ptr %p
  ret void
}
