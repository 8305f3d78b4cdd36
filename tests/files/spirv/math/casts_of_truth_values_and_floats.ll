; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpSGreaterThan
; CHECK: OpSelect
define void @k(ptr %p, ptr %q) {
  %i = load volatile i32, ptr %p
  %t = icmp sgt i32 %i, 3
  %a = uitofp i1 %t to double
  store volatile double %a, ptr %q
  %b = sitofp i1 %t to half
  store volatile half %b, ptr %q
  %c = fptoui double %a to i1
  store volatile i1 %c, ptr %q
  ret void
}
