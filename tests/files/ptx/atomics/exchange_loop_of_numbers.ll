; The loop of `atomic_ref::compare_exchange_strong`, which keeps the number and not its bits.
; kernel: add
; target: ptx:sm_90
; CHECK: atom.relaxed.gpu.global.add.f64
; CHECK: st.global.f64
; CHECK-NOT: cas
; CHECK-NOT: ld.relaxed
define void @add(ptr %p, double %x, ptr %out) {
entry:
  %bits = load atomic i64, ptr %p syncscope("device") monotonic, align 8
  %first = bitcast i64 %bits to double
  br label %loop
loop:
  %old = phi double [ %first, %entry ], [ %next, %loop ]
  %half = fmul double %x, 0.5
  %sum = fadd double %old, %half
  %old_bits = bitcast double %old to i64
  %sum_bits = bitcast double %sum to i64
  %pair = cmpxchg ptr %p, i64 %old_bits, i64 %sum_bits syncscope("device") monotonic monotonic, align 8
  %done = extractvalue { i64, i1 } %pair, 1
  %found = extractvalue { i64, i1 } %pair, 0
  %other = bitcast i64 %found to double
  %next = select i1 %done, double %old, double %other
  br i1 %done, label %end, label %loop
end:
  store double %sum, ptr %out, align 8
  ret void
}
