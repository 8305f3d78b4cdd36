; kernel: k
; target: spirv:vulkan:1.5:-divergent-fences
; no-optimise
; The index that the driver cannot know.
; CHECK: OpBitwiseAnd
; CHECK: OpInBoundsAccessChain
; CHECK: OpLoopMerge
define void @k(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %square = mul i32 %i, %i
  %more = icmp ult i32 %square, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %square, ptr %p
  ret void
}
