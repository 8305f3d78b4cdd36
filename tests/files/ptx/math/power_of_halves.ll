; kernel: k
; target: ptx:sm_90
; CHECK: cvt.f32.f16
; CHECK: cvt.rn.f16.f32
declare <2 x half> @llvm.pow.v2f16(<2 x half>, <2 x half>)
define void @k(ptr %p) {
  %v = load <2 x half>, ptr %p
  %r = call <2 x half> @llvm.pow.v2f16(<2 x half> %v, <2 x half> %v)
  store <2 x half> %r, ptr %p
  ret void
}
