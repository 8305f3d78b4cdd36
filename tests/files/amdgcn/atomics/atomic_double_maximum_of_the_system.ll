; kernel: k
; target: amdgpu:gfx90a
; CHECK: global_atomic_cmpswap_x2
; CHECK-NOT: global_atomic_max_f64
define void @k(ptr %p, double %n) {
  %a = atomicrmw fmax ptr %p, double %n monotonic
  ret void
}
