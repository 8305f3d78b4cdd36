; Every type of constant has an exact counterpart.
; kernel: k
; step: specialize
; constant: flag=bool:true
; constant: half=i16:-2
; constant: wide=i64:7
; constant: single=f32:1.5
; constant: double=f64:-0.25
; CHECK: store volatile i8 1
; CHECK: store volatile i16 -2
; CHECK: store volatile i64 7
; CHECK: store volatile float 1.500000e+00
; CHECK: store volatile double -2.500000e-01
@flag = external global i8
@half = external global i16
@wide = external global i64
@single = external global float
@double = external global double
define void @k(ptr %p) {
  %a = load i8, ptr @flag
  store volatile i8 %a, ptr %p
  %b = load i16, ptr @half
  store volatile i16 %b, ptr %p
  %c = load i64, ptr @wide
  store volatile i64 %c, ptr %p
  %d = load float, ptr @single
  store volatile float %d, ptr %p
  %e = load double, ptr @double
  store volatile double %e, ptr %p
  ret void
}
