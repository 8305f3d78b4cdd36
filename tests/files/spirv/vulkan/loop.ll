; kernel: k
; target: spirv:vulkan
; no-optimise
; CHECK: OpLoopMerge
; CHECK: OpBranchConditional
; CHECK-NOT: OpPhi
define void @k(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %sum = phi i32 [ 0, %entry ], [ %total, %again ]
  %at = getelementptr i32, ptr %p, i32 %i
  %x = load i32, ptr %at
  %early = icmp eq i32 %x, 7
  br i1 %early, label %end, label %again
again:
  %total = add i32 %sum, %x
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %result = phi i32 [ -1, %loop ], [ %total, %again ]
  store i32 %result, ptr %p
  ret void
}
