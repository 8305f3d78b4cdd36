; A loop with a branch that runs 127 times stays as it is.
; kernel: k
; target: ptx:sm_90
; CHECK: div.rn.f32
; CHECK-NOT: %f80
; CHECK: ret;
define void @k(ptr %p, ptr %q, float %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %rest ]
  %ap = getelementptr float, ptr %p, i64 %i
  %a = load float, ptr %ap
  %m0 = fdiv float %a, %x
  %m1 = fmul float %m0, %a
  %m2 = fadd float %m1, %a
  %m3 = fmul float %m2, %a
  %m4 = fadd float %m3, %a
  %m5 = fmul float %m4, %a
  %m6 = fadd float %m5, %a
  %m7 = fmul float %m6, %a
  %m8 = fadd float %m7, %a
  %m9 = fmul float %m8, %a
  %m10 = fadd float %m9, %a
  %m11 = fmul float %m10, %a
  %m12 = fadd float %m11, %a
  %m13 = fmul float %m12, %a
  %m14 = fadd float %m13, %a
  %m15 = fmul float %m14, %a
  %m16 = fadd float %m15, %a
  %m17 = fmul float %m16, %a
  %m18 = fadd float %m17, %a
  %m19 = fmul float %m18, %a
  %m20 = fadd float %m19, %a
  %m21 = fmul float %m20, %a
  %m22 = fadd float %m21, %a
  %m23 = fmul float %m22, %a
  %m24 = fadd float %m23, %a
  %m25 = fmul float %m24, %a
  %m26 = fadd float %m25, %a
  %m27 = fmul float %m26, %a
  %m28 = fadd float %m27, %a
  %m29 = fmul float %m28, %a
  %m30 = fadd float %m29, %a
  %m31 = fmul float %m30, %a
  %m32 = fadd float %m31, %a
  %m33 = fmul float %m32, %a
  %m34 = fadd float %m33, %a
  %m35 = fmul float %m34, %a
  %m36 = fadd float %m35, %a
  %m37 = fmul float %m36, %a
  %m38 = fadd float %m37, %a
  %m39 = fmul float %m38, %a
  %m40 = fadd float %m39, %a
  %near = fcmp olt float %m40, 1.0
  br i1 %near, label %count, label %rest
count:
  %n = fptoui float %m40 to i64
  %slot = getelementptr i32, ptr %q, i64 %n
  %old = atomicrmw add ptr %slot, i32 1 monotonic
  br label %rest
rest:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 127
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
