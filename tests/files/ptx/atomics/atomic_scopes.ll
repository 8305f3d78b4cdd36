; kernel: k
; target: ptx:sm_90
; CHECK: atom.relaxed.gpu.global.and.b64
; CHECK: red.relaxed.cta.global.min.u64
define void @k(ptr %p, i64 %n) {
  %a = atomicrmw and ptr %p, i64 %n syncscope("agent") monotonic
  %b = atomicrmw umin ptr %p, i64 %a syncscope("workgroup") monotonic
  ret void
}
