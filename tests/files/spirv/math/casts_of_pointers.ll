; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpCapability GenericPointer
; CHECK: OpConvertPtrToU
; CHECK: OpConvertPtrToU
; CHECK: OpConvertUToPtr
; CHECK: OpConvertUToPtr
; CHECK: OpGenericCastToPtr
@l = internal addrspace(3) global i32 undef
define void @k(ptr %p, i64 %i, i32 %j) {
  %a = ptrtoint ptr %p to i64
  store volatile i64 %a, ptr %p
  %b = ptrtoint ptr %p to i32
  store volatile i32 %b, ptr %p
  %c = inttoptr i64 %i to ptr
  store volatile i8 1, ptr %c
  %d = inttoptr i32 %j to ptr addrspace(1)
  store volatile i8 1, ptr addrspace(1) %d
  %e = addrspacecast ptr addrspace(3) @l to ptr
  store volatile ptr %e, ptr %p
  %f = load volatile ptr, ptr %p
  %g = addrspacecast ptr %f to ptr addrspace(1)
  store volatile i8 1, ptr addrspace(1) %g
  ret void
}
