; kernel: k
; target: ptx:sm_90
; CHECK: .pragma "nounroll"
; CHECK: bra
; CHECK-NOT: %f60
define void @k(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %m20, %loop ]
  %ap = getelementptr float, ptr %p, i64 %i
  %a = load float, ptr %ap
  %m0 = fadd float %a, %sum
  %m1 = fmul float %m0, %a
  %m2 = fmul float %m1, %a
  %m3 = fmul float %m2, %a
  %m4 = fmul float %m3, %a
  %m5 = fmul float %m4, %a
  %m6 = fmul float %m5, %a
  %m7 = fmul float %m6, %a
  %m8 = fmul float %m7, %a
  %m9 = fmul float %m8, %a
  %m10 = fmul float %m9, %a
  %m11 = fmul float %m10, %a
  %m12 = fmul float %m11, %a
  %m13 = fmul float %m12, %a
  %m14 = fmul float %m13, %a
  %m15 = fmul float %m14, %a
  %m16 = fmul float %m15, %a
  %m17 = fmul float %m16, %a
  %m18 = fmul float %m17, %a
  %m19 = fmul float %m18, %a
  %m20 = fmul float %m19, %a
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 4096
  br i1 %done, label %exit, label %loop, !llvm.loop !0
exit:
  store float %m20, ptr %q
  ret void
}
!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
