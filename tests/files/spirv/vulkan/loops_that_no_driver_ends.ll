; kernel: k
; target: spirv:vulkan
; no-optimise
; CHECK: OpLoopMerge
; CHECK-NOT: OpISub
; CHECK-NOT: OpINotEqual
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
