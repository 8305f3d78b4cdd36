; What the headers write for half, an operation on float between conversions, becomes the
; instruction on half.
; kernel: k
; target: ptx:sm_70
; CHECK: mul.rn.f16
; CHECK: add.rn.f16
; CHECK: neg.f16
; CHECK-NOT: f32
define void @k(ptr %p, ptr %q) {
  %a = load half, ptr %p
  %b = load half, ptr %q
  %x = fpext half %a to float
  %y = fpext half %b to float
  %m = fmul float %x, %y
  %h = fptrunc float %m to half
  %z = fpext half %h to float
  %s = fadd float %z, %y
  %t = fptrunc float %s to half
  %bits = bitcast half %t to i16
  %changed = xor i16 %bits, -32768
  store i16 %changed, ptr %p
  ret void
}
