; kernel: triadd
; ERROR: no kernel `triadd`; did you mean `triad`?
; ERROR: step parse
define void @triad() {
  ret void
}
