; libclc reads the bits of 1/pi 16 bytes at a time, from an array of bytes that it leaves unaligned.
; kernel: k
; target: amdgpu:gfx90a
; CHECK: .p2align 4
; CHECK: PIBITS_TBL:
declare double @llvm.sin.f64(double)
define void @k(ptr %p) {
  %x = load double, ptr %p
  %s = call double @llvm.sin.f64(double %x)
  store double %s, ptr %p
  ret void
}
