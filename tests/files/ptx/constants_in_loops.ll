; The address of a loop that reads four constants is that of the first one, so that an assembler
; knows its alignment, and reads two at a time.
; kernel: k
; target: ptx:sm_90
; constants-by-value
; CHECK: .param .align 16 .b8 k_param_2[288]
; CHECK: ld.param.v4.f32
; CHECK-NOT: +-12]
@__sinter_device_global.c = external constant <{ ptr, ptr, [64 x float] }>
define void @k(ptr %out, float %start) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ %start, %entry ], [ %s3, %loop ]
  %w0 = zext nneg i32 %i to i64
  %p0 = getelementptr inbounds float, ptr getelementptr (i8, ptr @__sinter_device_global.c, i64 16), i64 %w0
  %x0 = load float, ptr %p0, align 4
  %s0 = fmul float %sum, %x0
  %i1 = or disjoint i32 %i, 1
  %w1 = zext nneg i32 %i1 to i64
  %p1 = getelementptr inbounds float, ptr getelementptr (i8, ptr @__sinter_device_global.c, i64 16), i64 %w1
  %x1 = load float, ptr %p1, align 4
  %s1 = fadd float %s0, %x1
  %i2 = or disjoint i32 %i, 2
  %w2 = zext nneg i32 %i2 to i64
  %p2 = getelementptr inbounds float, ptr getelementptr (i8, ptr @__sinter_device_global.c, i64 16), i64 %w2
  %x2 = load float, ptr %p2, align 4
  %s2 = fmul float %s1, %x2
  %i3 = or disjoint i32 %i, 3
  %w3 = zext nneg i32 %i3 to i64
  %p3 = getelementptr inbounds float, ptr getelementptr (i8, ptr @__sinter_device_global.c, i64 16), i64 %w3
  %x3 = load float, ptr %p3, align 4
  %s3 = fadd float %s2, %x3
  %next = add nuw nsw i32 %i, 4
  %more = icmp ult i32 %next, 64
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  store float %s3, ptr %out, align 4
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
