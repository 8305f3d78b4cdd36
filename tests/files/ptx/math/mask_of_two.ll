; A comparison of two elements as a mask of 16 bits each: LLVM has no instruction for it as a whole.
; kernel: k
; target: ptx:sm_90
; CHECK: selp
; CHECK: selp
; CHECK: st.global
define void @k(ptr %a, ptr %b, ptr %o) {
  %x = load <2 x half>, ptr %a
  %y = load <2 x half>, ptr %b
  %m = fcmp oeq <2 x half> %x, %y
  %e = sext <2 x i1> %m to <2 x i16>
  store <2 x i16> %e, ptr %o
  ret void
}
