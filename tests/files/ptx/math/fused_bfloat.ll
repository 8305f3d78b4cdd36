; kernel: k
; target: ptx:sm_80
; CHECK: fma.rn.bf16
declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)
define void @k(ptr %p, ptr %q) {
  %a = load bfloat, ptr %p
  %b = load bfloat, ptr %q
  %c = call bfloat @llvm.fma.bf16(bfloat %a, bfloat %b, bfloat %a)
  store bfloat %c, ptr %p
  ret void
}
