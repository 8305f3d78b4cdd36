; kernel: k
; target: amdgpu:gfx90a
; CHECK: .group_segment_fixed_size: 256
@tile = internal addrspace(3) global [64 x i32] zeroinitializer, align 4
define void @k(ptr %p, i64 %j) {
  %r = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %j
  %v = load volatile i32, ptr addrspace(3) %r
  store i32 %v, ptr %p
  ret void
}
