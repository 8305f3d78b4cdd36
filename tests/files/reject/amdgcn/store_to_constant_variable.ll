; kernel: k
; target: amdgpu:gfx90a
; no-optimise
; ERROR: a store to constant memory
@c = internal constant i32 1
define void @k(ptr %p, i32 %v) {
  %o = atomicrmw add ptr @c, i32 %v monotonic
  store i32 %o, ptr %p
  ret void
}
