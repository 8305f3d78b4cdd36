; PTX's addition of floats would flush subnormal numbers.
; kernel: add
; target: ptx:sm_90
; CHECK: atom.relaxed.gpu.global.cas.b32
define void @add(ptr %p, float %x) {
entry:
  %first = load i32, ptr %p, align 4
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %found, %loop ]
  %number = bitcast i32 %old to float
  %sum = fadd float %x, %number
  %new = bitcast float %sum to i32
  %pair = cmpxchg ptr %p, i32 %old, i32 %new syncscope("device") monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
