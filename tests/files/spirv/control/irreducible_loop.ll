; A loop that is entered in its middle gets one entry, and a condition that says where to go on.
; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpConstantTrue
; CHECK: OpPhi
; CHECK: OpPhi
; CHECK: OpPhi
; CHECK: OpBranchConditional
; CHECK-NOT: OpLoopMerge
; CHECK-NOT: OpCapability Shader
define void @k(ptr %p, i32 %n, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = phi i32 [ 0, %entry ], [ %y2, %b ]
  %x2 = add i32 %x, 1
  br label %b
b:
  %y = phi i32 [ 1, %entry ], [ %x2, %a ]
  %y2 = mul i32 %y, %n
  store volatile i32 %y2, ptr %p
  %u = icmp eq i32 %y2, 77
  br i1 %u, label %a, label %end
end:
  ret void
}
