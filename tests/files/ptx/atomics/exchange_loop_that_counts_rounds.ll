; The first round guesses what memory holds, so there may be a second one, which the program sees.
; kernel: add
; target: ptx:sm_90
; CHECK: atom.relaxed.gpu.global.cas.b32
define void @add(ptr %p, ptr %tries) {
entry:
  br label %loop
loop:
  %old = phi i32 [ 0, %entry ], [ %found, %loop ]
  %try = phi i32 [ 1, %entry ], [ %next, %loop ]
  %next = add i32 %try, 1
  %new = add i32 %old, 5
  %pair = cmpxchg ptr %p, i32 %old, i32 %new syncscope("device") monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  store i32 %try, ptr %tries, align 4
  ret void
}
