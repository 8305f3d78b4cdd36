; kernel: k
; step: entry
; target: amdgpu:gfx90a
; CHECK: syncscope("agent") monotonic
; CHECK: syncscope("wavefront") monotonic
; CHECK: atomicrmw xor
; CHECK: monotonic
; CHECK-NOT: syncscope("device")
; CHECK-NOT: syncscope("queue")
define void @k(ptr %p, i32 %n) {
  %a = atomicrmw add ptr %p, i32 %n syncscope("device") monotonic
  %b = atomicrmw or ptr %p, i32 %a syncscope("subgroup") monotonic
  %c = atomicrmw xor ptr %p, i32 %b syncscope("queue") monotonic
  ret void
}
