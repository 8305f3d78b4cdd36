; kernel: k
; target: ptx:sm_90
; ERROR: an atomic operation on 16 bytes
define void @k(ptr %p, i128 %v) {
  %a = atomicrmw xchg ptr %p, i128 %v seq_cst
  ret void
}
