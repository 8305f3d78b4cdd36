; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpAtomicLoad
; CHECK: OpAtomicLoad
; CHECK: OpAtomicStore
; CHECK: OpAtomicLoad
; CHECK: OpAtomicStore
; CHECK: OpAtomicLoad
@l = internal addrspace(3) global i32 undef
define void @k(ptr %p, i32 %v) {
  %a = load atomic i32, ptr %p monotonic, align 4
  store volatile i32 %a, ptr %p
  store volatile i32 %v, ptr addrspace(3) @l
  %b = load atomic i32, ptr addrspace(3) @l acquire, align 4
  store atomic i32 %b, ptr %p release, align 4
  %c = load atomic ptr, ptr %p seq_cst, align 8
  store atomic ptr %c, ptr %p seq_cst, align 8
  %d = load atomic float, ptr %p monotonic, align 4
  store volatile float %d, ptr %p
  ret void
}
