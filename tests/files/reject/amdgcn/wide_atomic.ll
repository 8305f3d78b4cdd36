; kernel: k
; target: amdgpu:gfx90a
; ERROR: an atomic operation on 16 bytes
define void @k(ptr %p, i128 %n) {
  %a = atomicrmw xchg ptr %p, i128 %n seq_cst, align 16
  ret void
}
