; kernel: k
; target: spirv:vulkan:1.5:-divergent-fences
; no-optimise
; The count goes up behind the loop, and down where it is left; what remains is reported.
; CHECK: OpModuleProcessed "sinter.trap=1=the driver ended a loop early
; CHECK: OpLoopMerge
; CHECK: OpSelect
; CHECK: OpISub
; CHECK: OpStore
; CHECK: OpBranchConditional
; CHECK: OpIAdd
; CHECK: OpINotEqual
define void @k(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  store volatile i32 %i, ptr %p
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
