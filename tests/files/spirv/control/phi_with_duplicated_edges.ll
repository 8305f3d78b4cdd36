; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpSwitch
; CHECK: OpPhi
; CHECK: OpStore
define void @k(ptr %p, i32 %n, i1 %c) {
  switch i32 %n, label %end [ i32 0, label %end
    i32 1, label %one
    i32 2, label %two ]
one:
  %v = load volatile i32, ptr %p
  br i1 %c, label %end, label %end
two:
  store volatile i32 5, ptr %p
  br label %end
end:
  %r = phi i32 [ 3, %0 ], [ 3, %0 ], [ 8, %two ], [ %v, %one ], [ %v, %one ]
  store i32 %r, ptr %p
  ret void
}
