; Two neighbouring halfs are computed by one instruction.
; kernel: k
; target: ptx:sm_70
; CHECK: fma.rn.f16x2
; CHECK: sub.rn.f16x2
; CHECK-NOT: f32
define void @k(ptr %p, ptr %q) {
  %p1 = getelementptr half, ptr %p, i64 1
  %q1 = getelementptr half, ptr %q, i64 1
  %a0 = load half, ptr %p, align 4
  %a1 = load half, ptr %p1, align 2
  %b0 = load half, ptr %q, align 4
  %b1 = load half, ptr %q1, align 2
  %m0 = fmul contract half %a0, %b0
  %m1 = fmul contract half %a1, %b1
  %s0 = fadd contract half %m0, %a0
  %s1 = fadd contract half %m1, %a1
  %d0 = fsub half %s0, %b0
  %d1 = fsub half %s1, %b1
  store half %d0, ptr %p, align 4
  store half %d1, ptr %p1, align 2
  ret void
}
