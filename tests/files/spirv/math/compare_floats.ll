; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpFOrdEqual
; CHECK: OpFOrdGreaterThan
; CHECK: OpFOrdGreaterThanEqual
; CHECK: OpFOrdLessThan
; CHECK: OpFOrdLessThanEqual
; CHECK: OpFOrdNotEqual
; CHECK: OpOrdered
; CHECK: OpUnordered
; CHECK: OpFUnordEqual
; CHECK: OpFUnordGreaterThan
; CHECK: OpFUnordGreaterThanEqual
; CHECK: OpFUnordLessThan
; CHECK: OpFUnordLessThanEqual
; CHECK: OpFUnordNotEqual
define void @k(ptr %p, ptr %q) {
  %a = load volatile float, ptr %p
  %b = load volatile float, ptr %q
  %r0 = fcmp oeq float %a, %b
  store volatile i1 %r0, ptr %q
  %r1 = fcmp ogt float %a, %b
  store volatile i1 %r1, ptr %q
  %r2 = fcmp oge float %a, %b
  store volatile i1 %r2, ptr %q
  %r3 = fcmp olt float %a, %b
  store volatile i1 %r3, ptr %q
  %r4 = fcmp ole float %a, %b
  store volatile i1 %r4, ptr %q
  %r5 = fcmp one float %a, %b
  store volatile i1 %r5, ptr %q
  %r6 = fcmp ord float %a, %b
  store volatile i1 %r6, ptr %q
  %r7 = fcmp uno float %a, %b
  store volatile i1 %r7, ptr %q
  %r8 = fcmp ueq float %a, %b
  store volatile i1 %r8, ptr %q
  %r9 = fcmp ugt float %a, %b
  store volatile i1 %r9, ptr %q
  %r10 = fcmp uge float %a, %b
  store volatile i1 %r10, ptr %q
  %r11 = fcmp ult float %a, %b
  store volatile i1 %r11, ptr %q
  %r12 = fcmp ule float %a, %b
  store volatile i1 %r12, ptr %q
  %r13 = fcmp une float %a, %b
  store volatile i1 %r13, ptr %q
  ret void
}
