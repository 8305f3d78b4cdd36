; kernel: k
; target: spirv:opencl:-generic
; CHECK-NOT: OpCapability GenericPointer
; CHECK-NOT: OpPtrCastToGeneric
; CHECK: OpAtomicIAdd
; CHECK: OpAtomicISub
declare i32 @__sinter_spirv_op_AtomicIAdd__u32_generic(ptr, i32, i32, i32)
define void @k(ptr %p, i32 %v) {
  %a = call i32 @__sinter_spirv_op_AtomicIAdd__u32_generic(ptr %p, i32 1, i32 0, i32 %v)
  %b = atomicrmw sub ptr %p, i32 %v syncscope("device") monotonic, align 4
  ret void
}
