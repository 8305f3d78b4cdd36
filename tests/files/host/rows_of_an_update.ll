; Lanes that update one number in a loop of compare-exchanges wait for nobody: one succeeds in each
; round.
; kernel: k
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; rows: 16
; REMARK: remark: rows of 16 work-items
; REMARK-NOT: lock
define void @k(ptr %number) {
  br label %next
next:
  %old = load atomic i32, ptr %number monotonic, align 4
  %triple = mul i32 %old, 3
  %new = add i32 %triple, 1
  %pair = cmpxchg ptr %number, i32 %old, i32 %new acq_rel monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %next
end:
  ret void
}
