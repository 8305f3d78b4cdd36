; kernel: k
; target: amdgpu:gfx942
; CHECK: global_atomic_cmpswap_x2
; CHECK-NOT: global_atomic_add_f64
define void @k(ptr %p, double %n) {
  %a = atomicrmw fadd ptr %p, double %n monotonic
  ret void
}
