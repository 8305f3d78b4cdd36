; The rest of a loop that is unrolled by four is three guarded rounds, not a loop, and addresses of
; neighbours differ by a literal.
; kernel: sum
; target: ptx:sm_90
; CHECK: ld.global.f32
; CHECK: +4]
; CHECK: +8]
; CHECK-NOT: nounroll
define void @sum(ptr %in, ptr %out, i32 %n, i32 %first) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %place = add nsw i32 %first, %i
  %index = sext i32 %place to i64
  %at = getelementptr inbounds float, ptr %in, i64 %index
  %x = load float, ptr %at, align 4
  %square = fmul float %x, %x
  %cube = fmul float %square, %x
  %fourth = fmul float %cube, %square
  %fifth = fmul float %fourth, %cube
  %more = fadd float %sum, %fifth
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  store float %all, ptr %out, align 4
  ret void
}
