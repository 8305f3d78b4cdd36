; kernel: k
; target: spirv:vulkan
; CHECK: OpTypeVector
; CHECK: Aligned|NonPrivatePointer 16
; CHECK-NOT: Aligned|NonPrivatePointer 4
define void @k(ptr noalias %p, ptr noalias %q) {
  %b1 = getelementptr i8, ptr %p, i64 4
  %b2 = getelementptr i8, ptr %p, i64 8
  %b3 = getelementptr i8, ptr %p, i64 12
  %v0 = load float, ptr %p, align 16
  %v1 = load float, ptr %b1, align 4
  %v2 = load float, ptr %b2, align 8
  %v3 = load float, ptr %b3, align 4
  %w0 = fmul float %v0, %v0
  %w1 = fmul float %v1, %v0
  %w2 = fmul float %v2, %v0
  %w3 = fmul float %v3, %v0
  %c1 = getelementptr i8, ptr %q, i64 4
  %c2 = getelementptr i8, ptr %q, i64 8
  %c3 = getelementptr i8, ptr %q, i64 12
  store float %w0, ptr %q, align 16
  store float %w1, ptr %c1, align 4
  store float %w2, ptr %c2, align 8
  store float %w3, ptr %c3, align 4
  ret void
}
