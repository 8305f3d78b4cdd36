; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpLabel
; CHECK: OpPhi
; CHECK: OpPhi
; CHECK: OpBranchConditional
; CHECK: OpLabel
; CHECK: OpReturn
define void @k(ptr %p, i32 %n) {
entry:
  br label %loop
dead:
  br label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %a = phi i32 [ 1, %entry ], [ %i, %loop ]
  store volatile i32 %a, ptr %p
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  %r = phi i32 [ 7, %dead ], [ %j, %loop ]
  store i32 %r, ptr %p
  ret void
}
