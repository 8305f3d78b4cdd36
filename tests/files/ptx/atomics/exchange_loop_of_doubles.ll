; A loop that adds to a double by exchanging it is an addition.
; kernel: add
; target: ptx:sm_90
; CHECK: red.relaxed.gpu.global.add.f64
; CHECK-NOT: cas
define void @add(ptr %p, double %x) {
entry:
  %first = load i64, ptr %p, align 8
  br label %loop
loop:
  %old = phi i64 [ %first, %entry ], [ %found, %loop ]
  %number = bitcast i64 %old to double
  %sum = fadd double %x, %number
  %new = bitcast double %sum to i64
  %pair = cmpxchg ptr %p, i64 %old, i64 %new syncscope("device") monotonic monotonic, align 8
  %found = extractvalue { i64, i1 } %pair, 0
  %done = icmp eq i64 %old, %found
  br i1 %done, label %end, label %loop
end:
  ret void
}
