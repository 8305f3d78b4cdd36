; A division is a branch to ptxas, which moves no load over it: what is independent is loaded before.
; kernel: k
; target: ptx:sm_90
; CHECK: ld.global.f32
; CHECK: ld.global.f32
; CHECK: div.rn.f32
; CHECK: sqrt.rn.f32
declare float @llvm.sqrt.f32(float)
define void @k(ptr %a, ptr %b, ptr %o, float %f) {
  %x = load float, ptr %a
  %d = fdiv float %f, %x
  %s = call float @llvm.sqrt.f32(float %d)
  %q = getelementptr float, ptr %b, i64 5
  %y = load float, ptr %q
  %e = fadd float %s, %y
  store float %e, ptr %o
  ret void
}
