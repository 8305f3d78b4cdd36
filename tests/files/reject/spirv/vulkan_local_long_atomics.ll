; kernel: k
; target: spirv:vulkan:1.5:-local-int64-atomics
; ERROR: an atomic operation on 64 bits in local memory
; ERROR: use one, or global memory
@long = internal addrspace(3) global i64 undef, align 8
define void @k(ptr addrspace(1) %p) {
  %a = atomicrmw add ptr addrspace(3) @long, i64 1 monotonic
  store i64 %a, ptr addrspace(1) %p, align 8
  ret void
}
