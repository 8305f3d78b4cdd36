; A pointer to it may be compared.
; kernel: k
; target: spirv:vulkan:1.5
; no-optimise
; CHECK-NOT: OpTypePointer Function
; CHECK: OpEntryPoint
; CHECK-NOT: OpTypePointer Function
; CHECK: Aligned
%large = type { [1000 x i32] }
define void @k(ptr addrspace(1) %p, ptr byval(%large) align 4 %large, i32 %i) {
  %place = getelementptr %large, ptr %large, i32 0, i32 0, i32 %i
  %end = getelementptr %large, ptr %large, i32 1
  %is_end = icmp eq ptr %place, %end
  %r = load i32, ptr %place, align 4
  %s = select i1 %is_end, i32 0, i32 %r
  store i32 %s, ptr addrspace(1) %p, align 4
  ret void
}
