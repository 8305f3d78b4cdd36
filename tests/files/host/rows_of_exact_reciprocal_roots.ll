; Without AVX-512 every reciprocal square root of a row is a division that may be nothing else.
; kernel: roots
; target: x86-64-v3
; dimensions: 1
; group-size: 64,1,1
; rows: 16
; step: optimise
; CHECK: define void @roots
; CHECK: fdiv <16 x float>
; CHECK-NOT: arcp
declare i64 @__acpp_sscp_get_local_id_x()
declare float @llvm.sqrt.f32(float)
define void @roots(ptr %in, ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %from = getelementptr inbounds float, ptr %in, i64 %l
  %x = load float, ptr %from, align 4
  %root = call float @llvm.sqrt.f32(float %x)
  %free = fdiv arcp float 1.0, %root
  %y = fadd float %x, 1.0
  %other = call float @llvm.sqrt.f32(float %y)
  %exact = fdiv float 1.0, %other
  %sum = fadd float %free, %exact
  %to = getelementptr inbounds float, ptr %out, i64 %l
  store float %sum, ptr %to, align 4
  ret void
}
