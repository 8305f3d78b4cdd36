; kernel: k
; target: amdgpu:gfx942
; CHECK: global_atomic_add_f32
; CHECK-NOT: global_atomic_cmpswap
define void @k(ptr %p, float %n) {
  %a = atomicrmw fadd ptr %p, float %n syncscope("agent") monotonic
  ret void
}
