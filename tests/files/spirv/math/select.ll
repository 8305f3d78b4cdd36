; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpSelect
; CHECK: OpSelect
; CHECK: OpSelect
; CHECK: OpCompositeConstruct
; CHECK: OpSelect
; CHECK: OpCompositeExtract
; CHECK: OpSelect
; CHECK: OpCompositeConstruct
%S = type { i32, <2 x float>, [2 x { i8, ptr }] }
define void @k(ptr %p, ptr %q, i1 %c, i32 %n) {
  %a = select i1 %c, i32 %n, i32 4
  store volatile i32 %a, ptr %p
  %b = select i1 %c, ptr %p, ptr %q
  store volatile i32 1, ptr %b
  %x = load volatile <4 x i32>, ptr %p
  %t = icmp slt <4 x i32> %x, zeroinitializer
  %d = select <4 x i1> %t, <4 x i32> %x, <4 x i32> zeroinitializer
  store volatile <4 x i32> %d, ptr %p
  %e = select i1 %c, <4 x i32> %x, <4 x i32> %d
  store volatile <4 x i32> %e, ptr %p
  %s = load volatile %S, ptr %p
  %u = load volatile %S, ptr %q
  %r = select i1 %c, %S %s, %S %u
  store volatile %S %r, ptr %q
  ret void
}
