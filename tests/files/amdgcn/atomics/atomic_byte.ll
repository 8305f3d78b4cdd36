; kernel: k
; target: amdgpu:gfx90a
; CHECK: global_atomic_cmpswap
; CHECK: s_cbranch
define void @k(ptr %p, ptr %o, i8 %n) {
  %a = atomicrmw add ptr %p, i8 %n syncscope("agent") monotonic
  store i8 %a, ptr %o
  ret void
}
