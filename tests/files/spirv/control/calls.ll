; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpFunctionCall
; CHECK: OpFunctionCall
; CHECK: OpFunctionCall
; CHECK: OpUnreachable
%S = type { i32, <2 x float>, i1 }
define internal %S @f(%S %a, i1 %b, ptr %p, ptr addrspace(3) %l) noinline optnone {
  %v = load i32, ptr %p
  store volatile i32 %v, ptr addrspace(3) %l
  %r = insertvalue %S %a, i32 %v, 0
  %s = insertvalue %S %r, i1 %b, 2
  ret %S %s
}
define internal void @g(ptr sret(%S) %r, ptr byval(%S) %x) noinline optnone {
  store volatile i32 1, ptr %r
  store volatile i32 1, ptr %x
  ret void
}
define internal <4 x i1> @h(<4 x i1> %r) noinline optnone {
  %g = xor <4 x i1> %r, <i1 1, i1 0, i1 1, i1 0>
  ret <4 x i1> %g
}
define internal i32 @never(i32 %x) noinline optnone noreturn {
  unreachable
}
@l = internal addrspace(3) global i32 undef
define void @k(ptr %p, i64 %i, i1 %b) {
  %m = alloca %S
  %n = alloca %S
  %a = call %S @f(%S { i32 1, <2 x float> <float 1.0, float undef>, i1 true }, i1 %b, ptr %m, ptr addrspace(3) @l)
  %e = extractvalue %S %a, 2
  store volatile i1 %e, ptr %p
  call void @g(ptr %m, ptr byval(%S) %n)
  %v = load <4 x i32>, ptr %p
  %c = icmp slt <4 x i32> %v, zeroinitializer
  %d = call <4 x i1> @h(<4 x i1> %c)
  %z = sext <4 x i1> %d to <4 x i32>
  store volatile <4 x i32> %z, ptr %p
  br i1 %b, label %x, label %y
x:
  %w = call i32 @never(i32 4)
  unreachable
y:
  ret void
}
