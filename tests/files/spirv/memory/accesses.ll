; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpLoad
; CHECK: Aligned 1
; CHECK: OpStore
; CHECK: Aligned 1
; CHECK: OpLoad
; CHECK: Volatile|Aligned 32
; CHECK: OpStore
; CHECK: Volatile|Aligned 32
define void @k(ptr %p, ptr %q) {
  %r0 = load i8, ptr %p, align 1
  store i8 %r0, ptr %q, align 1
  %r1 = load volatile i8, ptr %p, align 32
  store volatile i8 %r1, ptr %q, align 32
  %r2 = load i16, ptr %p, align 1
  store i16 %r2, ptr %q, align 1
  %r3 = load volatile i16, ptr %p, align 32
  store volatile i16 %r3, ptr %q, align 32
  %r4 = load i32, ptr %p, align 1
  store i32 %r4, ptr %q, align 1
  %r5 = load volatile i32, ptr %p, align 32
  store volatile i32 %r5, ptr %q, align 32
  %r6 = load i64, ptr %p, align 1
  store i64 %r6, ptr %q, align 1
  %r7 = load volatile i64, ptr %p, align 32
  store volatile i64 %r7, ptr %q, align 32
  %r8 = load half, ptr %p, align 1
  store half %r8, ptr %q, align 1
  %r9 = load volatile half, ptr %p, align 32
  store volatile half %r9, ptr %q, align 32
  %r10 = load float, ptr %p, align 1
  store float %r10, ptr %q, align 1
  %r11 = load volatile float, ptr %p, align 32
  store volatile float %r11, ptr %q, align 32
  %r12 = load double, ptr %p, align 1
  store double %r12, ptr %q, align 1
  %r13 = load volatile double, ptr %p, align 32
  store volatile double %r13, ptr %q, align 32
  %r14 = load ptr, ptr %p, align 1
  store ptr %r14, ptr %q, align 1
  %r15 = load volatile ptr, ptr %p, align 32
  store volatile ptr %r15, ptr %q, align 32
  %r16 = load <2 x i8>, ptr %p, align 1
  store <2 x i8> %r16, ptr %q, align 1
  %r17 = load volatile <2 x i8>, ptr %p, align 32
  store volatile <2 x i8> %r17, ptr %q, align 32
  %r18 = load <4 x float>, ptr %p, align 1
  store <4 x float> %r18, ptr %q, align 1
  %r19 = load volatile <4 x float>, ptr %p, align 32
  store volatile <4 x float> %r19, ptr %q, align 32
  %r20 = load <16 x i64>, ptr %p, align 1
  store <16 x i64> %r20, ptr %q, align 1
  %r21 = load volatile <16 x i64>, ptr %p, align 32
  store volatile <16 x i64> %r21, ptr %q, align 32
  ret void
}
