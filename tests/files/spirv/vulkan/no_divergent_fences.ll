; kernel: k
; target: spirv:vulkan:1.5:-divergent-fences
; no-optimise
; CHECK-NOT: OpMemoryBarrier
; CHECK: OpAtomicOr
define void @k(ptr addrspace(1) %p) {
  %a = load atomic i32, ptr addrspace(1) %p seq_cst, align 4
  fence acq_rel
  ret void
}
