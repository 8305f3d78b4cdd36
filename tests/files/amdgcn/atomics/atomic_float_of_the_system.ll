; kernel: k
; target: amdgpu:gfx942
; CHECK: global_atomic_cmpswap
; CHECK-NOT: global_atomic_add_f32
define void @k(ptr %p, float %n) {
  %a = atomicrmw fadd ptr %p, float %n monotonic
  ret void
}
