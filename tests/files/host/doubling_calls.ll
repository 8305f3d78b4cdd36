; Functions that each call the next one twice are not inlined as 2^24 copies.
; kernel: k
; step: optimise
; CHECK: define void @k
; CHECK: call fastcc <8 x float> @f
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %p) {
  %i = call i64 @__acpp_sscp_get_local_id_x()
  %x = uitofp i64 %i to float
  %r = call float @f24(float %x)
  %o = getelementptr float, ptr %p, i64 %i
  store float %r, ptr %o
  ret void
}
define internal float @f0(float %x) noinline {
  %y = fmul float %x, 1.5
  ret float %y
}
define internal float @f1(float %x) noinline {
  %a = fadd float %x, 1.0
  %b = fmul float %x, 2.0
  %c = call float @f0(float %a)
  %d = call float @f0(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f2(float %x) noinline {
  %a = fadd float %x, 2.0
  %b = fmul float %x, 3.0
  %c = call float @f1(float %a)
  %d = call float @f1(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f3(float %x) noinline {
  %a = fadd float %x, 3.0
  %b = fmul float %x, 4.0
  %c = call float @f2(float %a)
  %d = call float @f2(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f4(float %x) noinline {
  %a = fadd float %x, 4.0
  %b = fmul float %x, 5.0
  %c = call float @f3(float %a)
  %d = call float @f3(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f5(float %x) noinline {
  %a = fadd float %x, 5.0
  %b = fmul float %x, 6.0
  %c = call float @f4(float %a)
  %d = call float @f4(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f6(float %x) noinline {
  %a = fadd float %x, 6.0
  %b = fmul float %x, 7.0
  %c = call float @f5(float %a)
  %d = call float @f5(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f7(float %x) noinline {
  %a = fadd float %x, 7.0
  %b = fmul float %x, 8.0
  %c = call float @f6(float %a)
  %d = call float @f6(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f8(float %x) noinline {
  %a = fadd float %x, 8.0
  %b = fmul float %x, 9.0
  %c = call float @f7(float %a)
  %d = call float @f7(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f9(float %x) noinline {
  %a = fadd float %x, 9.0
  %b = fmul float %x, 10.0
  %c = call float @f8(float %a)
  %d = call float @f8(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f10(float %x) noinline {
  %a = fadd float %x, 10.0
  %b = fmul float %x, 11.0
  %c = call float @f9(float %a)
  %d = call float @f9(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f11(float %x) noinline {
  %a = fadd float %x, 11.0
  %b = fmul float %x, 12.0
  %c = call float @f10(float %a)
  %d = call float @f10(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f12(float %x) noinline {
  %a = fadd float %x, 12.0
  %b = fmul float %x, 13.0
  %c = call float @f11(float %a)
  %d = call float @f11(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f13(float %x) noinline {
  %a = fadd float %x, 13.0
  %b = fmul float %x, 14.0
  %c = call float @f12(float %a)
  %d = call float @f12(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f14(float %x) noinline {
  %a = fadd float %x, 14.0
  %b = fmul float %x, 15.0
  %c = call float @f13(float %a)
  %d = call float @f13(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f15(float %x) noinline {
  %a = fadd float %x, 15.0
  %b = fmul float %x, 16.0
  %c = call float @f14(float %a)
  %d = call float @f14(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f16(float %x) noinline {
  %a = fadd float %x, 16.0
  %b = fmul float %x, 17.0
  %c = call float @f15(float %a)
  %d = call float @f15(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f17(float %x) noinline {
  %a = fadd float %x, 17.0
  %b = fmul float %x, 18.0
  %c = call float @f16(float %a)
  %d = call float @f16(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f18(float %x) noinline {
  %a = fadd float %x, 18.0
  %b = fmul float %x, 19.0
  %c = call float @f17(float %a)
  %d = call float @f17(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f19(float %x) noinline {
  %a = fadd float %x, 19.0
  %b = fmul float %x, 20.0
  %c = call float @f18(float %a)
  %d = call float @f18(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f20(float %x) noinline {
  %a = fadd float %x, 20.0
  %b = fmul float %x, 21.0
  %c = call float @f19(float %a)
  %d = call float @f19(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f21(float %x) noinline {
  %a = fadd float %x, 21.0
  %b = fmul float %x, 22.0
  %c = call float @f20(float %a)
  %d = call float @f20(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f22(float %x) noinline {
  %a = fadd float %x, 22.0
  %b = fmul float %x, 23.0
  %c = call float @f21(float %a)
  %d = call float @f21(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f23(float %x) noinline {
  %a = fadd float %x, 23.0
  %b = fmul float %x, 24.0
  %c = call float @f22(float %a)
  %d = call float @f22(float %b)
  %e = fmul float %c, %d
  ret float %e
}
define internal float @f24(float %x) noinline {
  %a = fadd float %x, 24.0
  %b = fmul float %x, 25.0
  %c = call float @f23(float %a)
  %d = call float @f23(float %b)
  %e = fmul float %c, %d
  ret float %e
}
