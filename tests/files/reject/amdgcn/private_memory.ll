; kernel: k
; target: amdgpu:gfx90a
; ERROR: 200000 bytes of private memory per work-item
; ERROR: the limit is 127 KiB
define void @k(ptr %p, i64 %i) {
  %a = alloca [200000 x i8]
  %q = getelementptr i8, ptr %a, i64 %i
  store volatile i8 1, ptr %q
  %v = load volatile i8, ptr %a
  store i8 %v, ptr %p
  ret void
}
