; kernel: k
; target: amdgpu:gfx90a
; CHECK: global_atomic_cmpswap
; CHECK-NOT: global_atomic_add_f32
define void @k(ptr %p, float %n) {
  %a = atomicrmw fadd ptr %p, float %n syncscope("agent") monotonic
  ret void
}
