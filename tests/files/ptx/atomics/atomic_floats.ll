; kernel: k
; target: ptx:sm_90
; CHECK: red.relaxed.sys.global.add.f32
; CHECK: red.relaxed.sys.global.add.f64
; CHECK: cas.b32
define void @k(ptr %p, float %f, double %d) {
  %a = atomicrmw fadd ptr %p, float %f monotonic
  %b = atomicrmw fadd ptr %p, double %d monotonic
  %c = atomicrmw fmax ptr %p, float %f monotonic
  ret void
}
