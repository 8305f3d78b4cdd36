; Bits of a byte are counted with one that is always set.
; kernel: k
; target: spirv:vulkan:1.5
; no-optimise
; CHECK: OpBitwiseOr
; CHECK: OpBitCount
; CHECK: OpISub
declare i8 @llvm.ctpop.i8(i8)
define void @k(ptr addrspace(1) %p, i8 %a) {
  %r = call i8 @llvm.ctpop.i8(i8 %a)
  store i8 %r, ptr addrspace(1) %p, align 1
  ret void
}
