; kernel: k
; target: ptx:sm_90
; ERROR: inline assembly
define void @k(ptr %p) {
  call void asm sideeffect "membar.gl;", ""()
  ret void
}
