; A carry is seen in the upper bits: drivers take a comparison with the sum for the operation.
; kernel: k
; target: spirv:vulkan:1.5
; no-optimise
; CHECK-NOT: OpULessThan
; CHECK: OpNot
; CHECK: OpSLessThan
; CHECK: OpSelect
declare i64 @llvm.uadd.sat.i64(i64, i64)
define void @k(ptr addrspace(1) %p, i64 %a, i64 %b) {
  %r = call i64 @llvm.uadd.sat.i64(i64 %a, i64 %b)
  store i64 %r, ptr addrspace(1) %p, align 8
  ret void
}
