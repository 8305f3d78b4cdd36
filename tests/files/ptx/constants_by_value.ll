; A constant that all work-items read at the same places is an argument by value, from which
; instructions take operands; the pointer to it is dead.
; kernel: k
; target: ptx:sm_90
; constants-by-value
; CHECK: .visible .entry k(
; CHECK: .param .u64 k_param_0
; CHECK: .param .align 16 .b8 k_param_1[288]
; CHECK-NOT: k_param_2
; CHECK-NOT: ld.global
; CHECK-NOT: .local
; CHECK: ld.param.v4.f32
; CHECK: st.global.f32
@__sinter_device_global.c = external constant <{ ptr, ptr, [64 x float] }>
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define void @k(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %added, %loop ]
  %wide = zext i32 %i to i64
  %place = getelementptr inbounds float, ptr getelementptr (i8, ptr @__sinter_device_global.c, i64 16), i64 %wide
  %x = load float, ptr %place, align 4
  %scaled = fmul float %sum, %x
  %added = fadd float %scaled, 1.0
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 64
  br i1 %more, label %loop, label %end
end:
  store float %added, ptr %out, align 4
  ret void
}
