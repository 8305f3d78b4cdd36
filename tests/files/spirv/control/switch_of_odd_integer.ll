; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpConstant
; CHECK: 8589934591
; CHECK: OpIEqual
; CHECK: OpBranchConditional
; CHECK-NOT: OpSwitch
define void @k(ptr %p, i33 %n, i1 %t) {
  switch i33 %n, label %end [ i33 -1, label %a ]
a:
  switch i1 %t, label %end [ i1 true, label %b ]
b:
  store volatile i32 2, ptr %p
  br label %end
end:
  ret void
}
