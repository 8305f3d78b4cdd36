; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpEntryPoint Kernel %1 "k" %
; CHECK: Alignment 64
; CHECK: OpVariable
; CHECK: Workgroup
; CHECK: OpVariable
; CHECK: Workgroup
; CHECK: OpPtrAccessChain
@a = internal addrspace(3) global [5 x i32] undef
@b = internal addrspace(3) global i64 undef, align 64
define void @k(ptr %p, i64 %i) {
  %q = getelementptr [5 x i32], ptr addrspace(3) @a, i64 0, i64 %i
  %v = load volatile i32, ptr addrspace(3) %q
  store volatile i64 1, ptr addrspace(3) @b
  store i32 %v, ptr %p
  ret void
}
