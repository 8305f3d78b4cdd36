; A failed exchange acquires, which a relaxed addition would not.
; kernel: add
; target: ptx:sm_90
; CHECK: cas.b32
define void @add(ptr %p) {
entry:
  %first = load i32, ptr %p, align 4
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %found, %loop ]
  %new = add i32 %old, 5
  %pair = cmpxchg ptr %p, i32 %old, i32 %new syncscope("device") monotonic acquire, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
