; libclc reads the bits of 1/pi 16 bytes at a time, from an array of bytes that it leaves unaligned.
; kernel: k
; target: ptx:sm_90
; CHECK: .const .align 16 .b8 PIBITS_TBL[158]
; CHECK: ld.const.v4.u32
declare double @llvm.sin.f64(double)
define void @k(ptr %p) {
  %x = load double, ptr %p
  %s = call double @llvm.sin.f64(double %x)
  store double %s, ptr %p
  ret void
}
