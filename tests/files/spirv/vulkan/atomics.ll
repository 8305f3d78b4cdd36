; kernel: k
; target: spirv:vulkan
; no-optimise
; CHECK: OpCapability VulkanMemoryModelDeviceScope
; CHECK: OpAtomicIAdd
; CHECK: OpMemoryBarrier
; CHECK: OpAtomicLoad
; CHECK: OpAtomicCompareExchange
; CHECK: OpAtomicFAddEXT
define void @k(ptr addrspace(1) %p, ptr addrspace(1) %f) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %b = load atomic i32, ptr addrspace(1) %p seq_cst, align 4
  %c = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 acq_rel acquire
  %d = atomicrmw fadd ptr addrspace(1) %f, float 1.0 monotonic
  ret void
}
