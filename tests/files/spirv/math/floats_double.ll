; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpCapability Float64
; CHECK: OpFAdd
; CHECK: OpFSub
; CHECK: OpFMul
; CHECK: OpFDiv
define void @k(ptr %p, ptr %q) {
  %a = load volatile double, ptr %p
  %b = load volatile double, ptr %q
  %r0 = fadd double %a, %b
  store volatile double %r0, ptr %q
  %r1 = fsub double %a, %b
  store volatile double %r1, ptr %q
  %r2 = fmul double %a, %b
  store volatile double %r2, ptr %q
  %r3 = fdiv double %a, %b
  store volatile double %r3, ptr %q
  ret void
}
