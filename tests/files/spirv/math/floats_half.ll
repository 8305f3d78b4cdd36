; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpCapability Float16
; CHECK: OpFAdd
; CHECK: OpFSub
; CHECK: OpFMul
; CHECK: OpFDiv
define void @k(ptr %p, ptr %q) {
  %a = load volatile half, ptr %p
  %b = load volatile half, ptr %q
  %r0 = fadd half %a, %b
  store volatile half %r0, ptr %q
  %r1 = fsub half %a, %b
  store volatile half %r1, ptr %q
  %r2 = fmul half %a, %b
  store volatile half %r2, ptr %q
  %r3 = fdiv half %a, %b
  store volatile half %r3, ptr %q
  ret void
}
