; The old value of one loop is what the other one adds.
; kernel: add
; target: ptx:sm_90
; CHECK: atom.relaxed.gpu.global.add.u32
; CHECK: atom.relaxed.gpu.global.add.u32
; CHECK-NOT: cas
define void @add(ptr %p, ptr %q, ptr %out) {
entry:
  %first = load i32, ptr %p, align 4
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %found, %loop ]
  %new = add i32 %old, 5
  %pair = cmpxchg ptr %p, i32 %old, i32 %new syncscope("device") monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %between, label %loop
between:
  %second = load i32, ptr %q, align 4
  br label %again
again:
  %was = phi i32 [ %second, %between ], [ %there, %again ]
  %sum = add i32 %was, %found
  %both = cmpxchg ptr %q, i32 %was, i32 %sum syncscope("device") monotonic monotonic, align 4
  %there = extractvalue { i32, i1 } %both, 0
  %ends = extractvalue { i32, i1 } %both, 1
  br i1 %ends, label %end, label %again
end:
  store i32 %was, ptr %out, align 4
  ret void
}
