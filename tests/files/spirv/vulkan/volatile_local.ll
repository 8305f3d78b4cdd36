; kernel: k
; target: spirv:vulkan:1.5
; no-optimise
; CHECK: Volatile|NonPrivatePointer
; CHECK: OpMemoryBarrier
; CHECK: Volatile|NonPrivatePointer
@words = internal addrspace(3) global [64 x i32] undef, align 4
define void @k(ptr addrspace(1) %p, i32 %i) {
  %place = getelementptr [64 x i32], ptr addrspace(3) @words, i32 0, i32 %i
  store volatile i32 %i, ptr addrspace(3) %place, align 4
  %r = load volatile i32, ptr addrspace(3) @words, align 4
  store i32 %r, ptr addrspace(1) %p, align 4
  ret void
}
