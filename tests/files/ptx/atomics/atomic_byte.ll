; kernel: k
; target: ptx:sm_90
; CHECK: cas.b32
define void @k(ptr %p) {
  %a = atomicrmw add ptr %p, i8 1 monotonic
  ret void
}
