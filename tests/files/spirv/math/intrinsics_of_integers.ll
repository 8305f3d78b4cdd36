; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: s_abs
; CHECK: clz
; CHECK: ctz
; CHECK: s_min
; CHECK: s_max
; CHECK: u_min
; CHECK: u_max
; CHECK: s_add_sat
; CHECK: u_add_sat
; CHECK: s_sub_sat
; CHECK: u_sub_sat
; CHECK: OpBitCount
declare i16 @llvm.abs.i16(i16, i1)
declare i16 @llvm.ctlz.i16(i16, i1)
declare i16 @llvm.cttz.i16(i16, i1)
declare i16 @llvm.smin.i16(i16, i16)
declare i16 @llvm.smax.i16(i16, i16)
declare i16 @llvm.umin.i16(i16, i16)
declare i16 @llvm.umax.i16(i16, i16)
declare i16 @llvm.sadd.sat.i16(i16, i16)
declare i16 @llvm.uadd.sat.i16(i16, i16)
declare i16 @llvm.ssub.sat.i16(i16, i16)
declare i16 @llvm.usub.sat.i16(i16, i16)
declare i16 @llvm.ctpop.i16(i16)
define void @k(ptr %p, ptr %q) {
  %a = load volatile i16, ptr %p
  %b = load volatile i16, ptr %q
  %c = load volatile i16, ptr %q
  %r0 = call i16 @llvm.abs.i16(i16 %a, i1 false)
  store volatile i16 %r0, ptr %q
  %r1 = call i16 @llvm.ctlz.i16(i16 %a, i1 false)
  store volatile i16 %r1, ptr %q
  %r2 = call i16 @llvm.cttz.i16(i16 %a, i1 false)
  store volatile i16 %r2, ptr %q
  %r3 = call i16 @llvm.smin.i16(i16 %a, i16 %b)
  store volatile i16 %r3, ptr %q
  %r4 = call i16 @llvm.smax.i16(i16 %a, i16 %b)
  store volatile i16 %r4, ptr %q
  %r5 = call i16 @llvm.umin.i16(i16 %a, i16 %b)
  store volatile i16 %r5, ptr %q
  %r6 = call i16 @llvm.umax.i16(i16 %a, i16 %b)
  store volatile i16 %r6, ptr %q
  %r7 = call i16 @llvm.sadd.sat.i16(i16 %a, i16 %b)
  store volatile i16 %r7, ptr %q
  %r8 = call i16 @llvm.uadd.sat.i16(i16 %a, i16 %b)
  store volatile i16 %r8, ptr %q
  %r9 = call i16 @llvm.ssub.sat.i16(i16 %a, i16 %b)
  store volatile i16 %r9, ptr %q
  %r10 = call i16 @llvm.usub.sat.i16(i16 %a, i16 %b)
  store volatile i16 %r10, ptr %q
  %r11 = call i16 @llvm.ctpop.i16(i16 %a)
  store volatile i16 %r11, ptr %q
  ret void
}
