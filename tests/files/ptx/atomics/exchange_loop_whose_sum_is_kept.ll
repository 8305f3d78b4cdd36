; The sum that the program keeps is the one in memory, so it is not fused with the product.
; kernel: add
; target: ptx:sm_90
; CHECK: mul.rn.f64
; CHECK: atom.relaxed.gpu.global.add.f64
; CHECK: add.rn.f64
; CHECK-NOT: fma
define void @add(ptr %p, double %x, double %y, ptr %out) {
entry:
  %product = fmul contract double %x, %y
  %first = load i64, ptr %p, align 8
  br label %loop
loop:
  %old = phi i64 [ %first, %entry ], [ %found, %loop ]
  %number = bitcast i64 %old to double
  %sum = fadd contract double %product, %number
  %new = bitcast double %sum to i64
  %pair = cmpxchg ptr %p, i64 %old, i64 %new syncscope("device") monotonic monotonic, align 8
  %found = extractvalue { i64, i1 } %pair, 0
  %done = extractvalue { i64, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  store double %sum, ptr %out, align 8
  ret void
}
