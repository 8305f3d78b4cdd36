; What the code generator turns into a call that nothing provides is refused, not left to the loader. Atomics of 16 bytes need CMPXCHG16B.
; kernel: k
; target: x86-64
; ERROR: an operation that the code generator turns into a call to `__
define void @k(ptr %p, i128 %a) {
  %r = atomicrmw add ptr %p, i128 %a seq_cst
  store i128 %r, ptr %p
  ret void
}
