; A device without half precision computes it in float and moves it as an integer.
; kernel: k
; target: spirv:opencl:-fp16
; CHECK-NOT: OpCapability Float16
; CHECK-NOT: OpTypeFloat 16
; CHECK: OpFMul
%pair = type { half, [2 x half] }
@table = internal addrspace(3) global [64 x half] undef
declare half @llvm.sqrt.f16(half)
declare half @llvm.fma.f16(half, half, half)
define void @k(ptr %p, ptr byval(%pair) %q, i64 %i, double %wide) {
entry:
  %at = getelementptr %pair, ptr %p, i64 %i, i32 1, i64 1
  %a = load half, ptr %at
  %cut = fptrunc double %wide to half
  %b = fmul half %a, %cut
  %r = call half @llvm.sqrt.f16(half %b)
  %slot = getelementptr [64 x half], ptr addrspace(3) @table, i64 0, i64 %i
  store volatile half %r, ptr addrspace(3) %slot
  br label %loop
loop:
  %sum = phi half [ %r, %entry ], [ %next, %loop ]
  %n = phi i64 [ 0, %entry ], [ %m, %loop ]
  %from = getelementptr half, ptr %p, i64 %n
  %x = load half, ptr %from
  %next = call half @llvm.fma.f16(half %sum, half %x, half %a)
  %m = add i64 %n, 1
  %more = icmp ult i64 %m, %i
  br i1 %more, label %loop, label %end
end:
  %back = load volatile half, ptr addrspace(3) %slot
  %less = fcmp olt half %next, %back
  %least = select i1 %less, half %next, half %back
  %first = load half, ptr %q
  %all = fadd half %least, %first
  store half %all, ptr %p
  ret void
}
