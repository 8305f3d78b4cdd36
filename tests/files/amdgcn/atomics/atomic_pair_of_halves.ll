; kernel: k
; target: amdgpu:gfx90a
; CHECK: global_atomic_cmpswap
; CHECK-NOT: global_atomic_pk_add
define void @k(ptr %p, <2 x half> %n) {
  %a = atomicrmw fadd ptr %p, <2 x half> %n syncscope("agent") monotonic
  ret void
}
