; kernel: k
; target: amdgpu:gfx90a
; ERROR: `nowhere`
declare void @nowhere(ptr)
define void @k(ptr %p) {
  call void @nowhere(ptr %p)
  ret void
}
