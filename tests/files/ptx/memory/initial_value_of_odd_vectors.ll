; kernel: k
; target: ptx:sm_90
; CHECK: .b8 t[32] = {0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 0, 0, 0, 0, 128, 64, 0, 0, 160, 64, 0, 0, 192, 64}
@t = internal constant [2 x <3 x float>] [<3 x float> <float 1.0, float 2.0, float 3.0>, <3 x float> <float 4.0, float 5.0, float 6.0>]
define void @k(ptr %p, i64 %x) {
  %q = getelementptr [2 x <3 x float>], ptr @t, i64 0, i64 %x, i64 1
  %v = load float, ptr %q
  store float %v, ptr %p
  ret void
}
