; Operations on private memory that are no single instruction of LLVM become a few of them.
; kernel: k
; target: ptx:sm_90
; CHECK-NOT: atom
; CHECK: not.b32
; CHECK: min.f32
; CHECK: max.f32
define void @k(ptr %out, i32 %a, float %b, i32 %at) {
  %words = alloca [4 x i32], align 4
  %number = alloca [4 x float], align 4
  %w = getelementptr i32, ptr %words, i32 %at
  %n = getelementptr float, ptr %number, i32 %at
  store i32 %a, ptr %w
  store float %b, ptr %n
  %old = atomicrmw nand ptr %w, i32 %at monotonic
  %least = atomicrmw fmin ptr %n, float 3.0 monotonic
  %most = atomicrmw fmax ptr %n, float 1.0 monotonic
  %new = load i32, ptr %w
  %f = load float, ptr %n
  %sum = add i32 %old, %new
  store i32 %sum, ptr %out
  %to = getelementptr float, ptr %out, i32 1
  store float %f, ptr %to
  ret void
}
