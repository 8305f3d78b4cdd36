; kernel: k
; target: amdgpu:gfx90a
; CHECK: v_pk_fma_f16
declare <2 x half> @llvm.fma.v2f16(<2 x half>, <2 x half>, <2 x half>)
define void @k(ptr %p, ptr %q) {
  %a = load <2 x half>, ptr %p
  %b = load <2 x half>, ptr %q
  %c = call <2 x half> @llvm.fma.v2f16(<2 x half> %a, <2 x half> %b, <2 x half> %a)
  store <2 x half> %c, ptr %p
  ret void
}
