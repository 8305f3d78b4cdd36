; kernel: k
; target: amdgpu:gfx1201
; CHECK: global_atomic_cmpswap
; CHECK-NOT: global_atomic_pk_add
define void @k(ptr %p, <2 x bfloat> %n) {
  %a = atomicrmw fadd ptr %p, <2 x bfloat> %n syncscope("agent") monotonic
  ret void
}
