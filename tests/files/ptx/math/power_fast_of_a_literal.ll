; kernel: k
; target: ptx:sm_90
; CHECK: mul.rn.f32
; CHECK-NOT: lg2.approx
; CHECK-NOT: ex2.approx
; CHECK-NOT: bra
declare float @llvm.pow.f32(float, float)
define void @k(ptr %p, float %x) {
  %s = call afn float @llvm.pow.f32(float %x, float 2.0)
  store float %s, ptr %p
  %q = getelementptr float, ptr %p, i64 1
  %t = call afn float @llvm.pow.f32(float %x, float 3.0)
  store float %t, ptr %q
  ret void
}
