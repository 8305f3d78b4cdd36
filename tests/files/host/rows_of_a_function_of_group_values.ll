; A function that all lanes call with the same arguments runs once for all of them.
; kernel: k
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; rows: 16
; step: entry
; CHECK: define internal void @k.item
; CHECK: call float @large(float %
; CHECK: call float @large(float %
; CHECK-NOT: .row
declare i64 @__acpp_sscp_get_local_id_x()
define internal float @large(float %x, float %c) {
  %m0 = fmul float %x, 0x3FF0110000000000
  %a0 = fadd float %m0, %c
  %m1 = fmul float %a0, 0x3FF0360000000000
  %a1 = fadd float %m1, %c
  %m2 = fmul float %a1, 0x3FF05B0000000000
  %a2 = fadd float %m2, %c
  %m3 = fmul float %a2, 0x3FF0800000000000
  %a3 = fadd float %m3, %c
  %m4 = fmul float %a3, 0x3FF0A50000000000
  %a4 = fadd float %m4, %c
  %m5 = fmul float %a4, 0x3FF0CA0000000000
  %a5 = fadd float %m5, %c
  %m6 = fmul float %a5, 0x3FF0EF0000000000
  %a6 = fadd float %m6, %c
  %m7 = fmul float %a6, 0x3FF1140000000000
  %a7 = fadd float %m7, %c
  %m8 = fmul float %a7, 0x3FF1390000000000
  %a8 = fadd float %m8, %c
  %m9 = fmul float %a8, 0x3FF15E0000000000
  %a9 = fadd float %m9, %c
  %m10 = fmul float %a9, 0x3FF1830000000000
  %a10 = fadd float %m10, %c
  %m11 = fmul float %a10, 0x3FF1A80000000000
  %a11 = fadd float %m11, %c
  %m12 = fmul float %a11, 0x3FF1CD0000000000
  %a12 = fadd float %m12, %c
  %m13 = fmul float %a12, 0x3FF1F20000000000
  %a13 = fadd float %m13, %c
  %m14 = fmul float %a13, 0x3FF2170000000000
  %a14 = fadd float %m14, %c
  %m15 = fmul float %a14, 0x3FF23C0000000000
  %a15 = fadd float %m15, %c
  %m16 = fmul float %a15, 0x3FF2610000000000
  %a16 = fadd float %m16, %c
  %m17 = fmul float %a16, 0x3FF2860000000000
  %a17 = fadd float %m17, %c
  %m18 = fmul float %a17, 0x3FF2AB0000000000
  %a18 = fadd float %m18, %c
  %m19 = fmul float %a18, 0x3FF2D00000000000
  %a19 = fadd float %m19, %c
  %m20 = fmul float %a19, 0x3FF2F50000000000
  %a20 = fadd float %m20, %c
  %m21 = fmul float %a20, 0x3FF31A0000000000
  %a21 = fadd float %m21, %c
  %m22 = fmul float %a21, 0x3FF33F0000000000
  %a22 = fadd float %m22, %c
  %m23 = fmul float %a22, 0x3FF3640000000000
  %a23 = fadd float %m23, %c
  %m24 = fmul float %a23, 0x3FF3890000000000
  %a24 = fadd float %m24, %c
  %m25 = fmul float %a24, 0x3FF3AE0000000000
  %a25 = fadd float %m25, %c
  %m26 = fmul float %a25, 0x3FF3D30000000000
  %a26 = fadd float %m26, %c
  %m27 = fmul float %a26, 0x3FF3F80000000000
  %a27 = fadd float %m27, %c
  %m28 = fmul float %a27, 0x3FF41D0000000000
  %a28 = fadd float %m28, %c
  %m29 = fmul float %a28, 0x3FF4420000000000
  %a29 = fadd float %m29, %c
  %m30 = fmul float %a29, 0x3FF4670000000000
  %a30 = fadd float %m30, %c
  %m31 = fmul float %a30, 0x3FF48C0000000000
  %a31 = fadd float %m31, %c
  %m32 = fmul float %a31, 0x3FF4B10000000000
  %a32 = fadd float %m32, %c
  %m33 = fmul float %a32, 0x3FF4D60000000000
  %a33 = fadd float %m33, %c
  %m34 = fmul float %a33, 0x3FF4FB0000000000
  %a34 = fadd float %m34, %c
  %m35 = fmul float %a34, 0x3FF5200000000000
  %a35 = fadd float %m35, %c
  %m36 = fmul float %a35, 0x3FF5450000000000
  %a36 = fadd float %m36, %c
  %m37 = fmul float %a36, 0x3FF56A0000000000
  %a37 = fadd float %m37, %c
  %m38 = fmul float %a37, 0x3FF58F0000000000
  %a38 = fadd float %m38, %c
  %m39 = fmul float %a38, 0x3FF5B40000000000
  %a39 = fadd float %m39, %c
  %m40 = fmul float %a39, 0x3FF5D90000000000
  %a40 = fadd float %m40, %c
  %m41 = fmul float %a40, 0x3FF5FE0000000000
  %a41 = fadd float %m41, %c
  %m42 = fmul float %a41, 0x3FF6230000000000
  %a42 = fadd float %m42, %c
  %m43 = fmul float %a42, 0x3FF6480000000000
  %a43 = fadd float %m43, %c
  %m44 = fmul float %a43, 0x3FF66D0000000000
  %a44 = fadd float %m44, %c
  %m45 = fmul float %a44, 0x3FF6920000000000
  %a45 = fadd float %m45, %c
  %m46 = fmul float %a45, 0x3FF6B70000000000
  %a46 = fadd float %m46, %c
  %m47 = fmul float %a46, 0x3FF6DC0000000000
  %a47 = fadd float %m47, %c
  %m48 = fmul float %a47, 0x3FF7010000000000
  %a48 = fadd float %m48, %c
  %m49 = fmul float %a48, 0x3FF7260000000000
  %a49 = fadd float %m49, %c
  %m50 = fmul float %a49, 0x3FF74B0000000000
  %a50 = fadd float %m50, %c
  %m51 = fmul float %a50, 0x3FF7700000000000
  %a51 = fadd float %m51, %c
  %m52 = fmul float %a51, 0x3FF7950000000000
  %a52 = fadd float %m52, %c
  %m53 = fmul float %a52, 0x3FF7BA0000000000
  %a53 = fadd float %m53, %c
  %m54 = fmul float %a53, 0x3FF7DF0000000000
  %a54 = fadd float %m54, %c
  %m55 = fmul float %a54, 0x3FF8040000000000
  %a55 = fadd float %m55, %c
  %m56 = fmul float %a55, 0x3FF8290000000000
  %a56 = fadd float %m56, %c
  %m57 = fmul float %a56, 0x3FF84E0000000000
  %a57 = fadd float %m57, %c
  %m58 = fmul float %a57, 0x3FF8730000000000
  %a58 = fadd float %m58, %c
  %m59 = fmul float %a58, 0x3FF8980000000000
  %a59 = fadd float %m59, %c
  %m60 = fmul float %a59, 0x3FF8BD0000000000
  %a60 = fadd float %m60, %c
  %m61 = fmul float %a60, 0x3FF8E20000000000
  %a61 = fadd float %m61, %c
  %m62 = fmul float %a61, 0x3FF9070000000000
  %a62 = fadd float %m62, %c
  %m63 = fmul float %a62, 0x3FF92C0000000000
  %a63 = fadd float %m63, %c
  ret float %a63
}

define void @k(ptr %in, ptr %out, float %c) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %x = load float, ptr %in, align 4
  %first = call float @large(float %x, float %c)
  %second = call float @large(float %first, float %c)
  %from = getelementptr inbounds float, ptr %in, i64 %l
  %z = load float, ptr %from, align 4
  %y = fmul float %z, %second
  %to = getelementptr inbounds float, ptr %out, i64 %l
  store float %y, ptr %to, align 4
  ret void
}
