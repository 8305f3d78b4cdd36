; kernel: k
; target: amdgpu:gfx90a
; CHECK: global_atomic_add
; CHECK: ds_add_u32
; CHECK: global_atomic_cmpswap
@l = internal addrspace(3) global i32 undef
define void @k(ptr %p, i32 %n) {
  %a = atomicrmw add ptr %p, i32 %n syncscope("agent") monotonic
  %b = atomicrmw add ptr addrspace(3) @l, i32 %a syncscope("workgroup") monotonic
  %c = cmpxchg ptr %p, i32 %n, i32 7 syncscope("agent") monotonic monotonic
  ret void
}
