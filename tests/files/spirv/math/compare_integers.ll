; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpIEqual
; CHECK: OpINotEqual
; CHECK: OpUGreaterThan
; CHECK: OpUGreaterThanEqual
; CHECK: OpULessThan
; CHECK: OpULessThanEqual
; CHECK: OpSGreaterThan
; CHECK: OpSGreaterThanEqual
; CHECK: OpSLessThan
; CHECK: OpSLessThanEqual
define void @k(ptr %p, ptr %q) {
  %a = load volatile i32, ptr %p
  %b = load volatile i32, ptr %q
  %r0 = icmp eq i32 %a, %b
  store volatile i1 %r0, ptr %q
  %r1 = icmp ne i32 %a, %b
  store volatile i1 %r1, ptr %q
  %r2 = icmp ugt i32 %a, %b
  store volatile i1 %r2, ptr %q
  %r3 = icmp uge i32 %a, %b
  store volatile i1 %r3, ptr %q
  %r4 = icmp ult i32 %a, %b
  store volatile i1 %r4, ptr %q
  %r5 = icmp ule i32 %a, %b
  store volatile i1 %r5, ptr %q
  %r6 = icmp sgt i32 %a, %b
  store volatile i1 %r6, ptr %q
  %r7 = icmp sge i32 %a, %b
  store volatile i1 %r7, ptr %q
  %r8 = icmp slt i32 %a, %b
  store volatile i1 %r8, ptr %q
  %r9 = icmp sle i32 %a, %b
  store volatile i1 %r9, ptr %q
  ret void
}
