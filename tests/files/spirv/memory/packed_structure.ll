; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: CPacked
; CHECK: OpTypeStruct
; CHECK: OpPhi
; CHECK: OpPtrAccessChain
; CHECK: Aligned 1
%P = type <{ i8, i32, float }>
define void @k(ptr %p, ptr %q, i1 %c) {
  %a = load %P, ptr %p, align 1
  br i1 %c, label %x, label %y
x:
  %b = load %P, ptr %q, align 1
  %i = insertvalue %P %b, i32 5, 1
  br label %y
y:
  %z = phi %P [ %a, %0 ], [ %i, %x ]
  store %P %z, ptr %q, align 1
  %g = getelementptr %P, ptr %p, i64 2, i32 2
  store volatile float 1.0, ptr %g, align 1
  ret void
}
