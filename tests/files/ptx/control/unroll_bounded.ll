; A loop that runs at most five times, however often that is, is five guarded rounds.
; kernel: sum
; target: ptx:sm_90
; CHECK: ld.global.f32
; CHECK: +4]
; CHECK: +8]
; CHECK: +12]
; CHECK: +16]
; CHECK-NOT: +20]
define void @sum(ptr %in, ptr %out, i64 %n) {
entry:
  %few = call i64 @llvm.umin.i64(i64 %n, i64 5)
  %is_empty = icmp eq i64 %few, 0
  br i1 %is_empty, label %end, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = getelementptr inbounds float, ptr %in, i64 %i
  %x = load float, ptr %at, align 4
  %scaled = fmul float %sum, 3.0
  %more = fadd float %scaled, %x
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %few
  br i1 %done, label %end, label %loop
end:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  store float %all, ptr %out, align 4
  ret void
}
declare i64 @llvm.umin.i64(i64, i64)
