; kernel: k
; target: amdgpu:gfx90a
; step: flavor
; The mask has 64 bits, as clang writes it where local pointers have 64; here they have 32.
; CHECK: call ptr addrspace(3) @llvm.ptrmask.p3.i32(ptr addrspace(3) %p, i32 -128)
; CHECK-NOT: ptrmask.p3.i64
declare ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
declare ptr addrspace(3) @llvm.ptrmask.p3.i64(ptr addrspace(3), i64)
define void @k(ptr %o) {
  %l = call ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
  %p = getelementptr i8, ptr addrspace(3) %l, i64 272
  %m = call ptr addrspace(3) @llvm.ptrmask.p3.i64(ptr addrspace(3) %p, i64 -128)
  %r = load volatile i32, ptr addrspace(3) %m
  store i32 %r, ptr %o
  ret void
}
