; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpConvertPtrToU
; CHECK: OpIEqual
; CHECK: OpULessThan
; CHECK: OpINotEqual
; CHECK-NOT: OpPtrEqual
@l = internal addrspace(3) global i32 undef
@m = internal addrspace(3) global [9 x i32] undef
define void @k(ptr %p, ptr %q, i32 %i) {
  %a = icmp eq ptr %p, %q
  store volatile i1 %a, ptr %q
  %b = icmp ult ptr %p, %q
  store volatile i1 %b, ptr %q
  %s = getelementptr i32, ptr addrspace(3) @m, i32 %i
  %c = icmp ne ptr addrspace(3) %s, @l
  store volatile i1 %c, ptr %q
  ret void
}
