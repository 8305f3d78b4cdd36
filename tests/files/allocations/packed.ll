; Numbers of packed structures are read as a whole where the structures are known to be aligned, and
; by bytes otherwise.
; kernel: k
; target: ptx:sm_90
; allocations: 0,1
; CHECK: ld.global.v4.u32
; CHECK-NOT: ld.global.u8
%atom = type <{ float, float, float, i32 }>
define void @k(ptr %atoms, ptr %out, i64 %n) {
  %atom = getelementptr inbounds %atom, ptr %atoms, i64 %n
  %x = load float, ptr %atom, align 1
  %y.at = getelementptr inbounds i8, ptr %atom, i64 4
  %y = load float, ptr %y.at, align 1
  %z.at = getelementptr inbounds i8, ptr %atom, i64 8
  %z = load float, ptr %z.at, align 1
  %kind.at = getelementptr inbounds i8, ptr %atom, i64 12
  %kind = load i32, ptr %kind.at, align 1
  %xy = fadd float %x, %y
  %xyz = fadd float %xy, %z
  %number = sitofp i32 %kind to float
  %sum = fadd float %xyz, %number
  store float %sum, ptr %out, align 4
  ret void
}
