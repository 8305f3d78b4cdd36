; kernel: k
; target: ptx:sm_90
; CHECK: ld.relaxed.sys.global.b16
; CHECK: red.relaxed.sys.global.add.noftz.bf16
define void @k(ptr %p, ptr %q) {
  %v = load atomic bfloat, ptr %p monotonic, align 2
  %x = atomicrmw fadd ptr %q, bfloat %v monotonic
  ret void
}
