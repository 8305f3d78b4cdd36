; kernel: k
; target: amdgpu:gfx90a
; ERROR: 65600 bytes of local memory
; ERROR: the limit is 65536 bytes
@tile = internal addrspace(3) global [65600 x i8] undef, align 64
define void @k(ptr %p, i64 %j) {
  %r = getelementptr i8, ptr addrspace(3) @tile, i64 %j
  %v = load i8, ptr addrspace(3) %r
  store i8 %v, ptr %p
  ret void
}
