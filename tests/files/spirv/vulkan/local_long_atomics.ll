; kernel: k
; target: spirv:vulkan
; Local memory is integers of 64 bits then: atomic operations on 32 bits are loops.
; CHECK: OpSpecConstantOp
; CHECK-NOT: OpAtomicFAddEXT
; CHECK: OpAtomicIAdd
; CHECK: OpLoopMerge
; CHECK: OpAtomicCompareExchange
; CHECK-NOT: OpAtomicISub
@long = internal addrspace(3) global i64 undef, align 8
@short = internal addrspace(3) global i32 undef, align 4
@number = internal addrspace(3) global double undef, align 8
define void @k(ptr addrspace(1) %p) {
  %a = atomicrmw add ptr addrspace(3) @long, i64 1 monotonic
  %b = atomicrmw sub ptr addrspace(3) @short, i32 1 monotonic
  %c = atomicrmw fadd ptr addrspace(3) @number, double 1.0 monotonic
  %wide = sext i32 %b to i64
  %d = fptosi double %c to i64
  %sum = add i64 %a, %wide
  %all = add i64 %sum, %d
  store i64 %all, ptr addrspace(1) %p, align 8
  ret void
}
