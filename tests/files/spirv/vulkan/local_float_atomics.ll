; kernel: k
; target: spirv:vulkan
; CHECK: OpAtomicCompareExchange
; CHECK-NOT: OpAtomicFAddEXT
@sum = internal addrspace(3) global float undef, align 4
define void @k(ptr %p) {
  %old = call float @__acpp_sscp_atomic_fetch_add_f32(i32 1, i32 0, i32 2, ptr addrspacecast (ptr addrspace(3) @sum to ptr), float 1.0)
  %other = atomicrmw fadd ptr addrspace(3) @sum, float 2.0 monotonic
  %both = fadd float %old, %other
  store float %both, ptr %p
  ret void
}
declare float @__acpp_sscp_atomic_fetch_add_f32(i32, i32, i32, ptr, float)
