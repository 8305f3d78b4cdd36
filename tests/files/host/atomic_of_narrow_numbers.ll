; The addition in the loop that an atomic one becomes needs no library either.
; kernel: k
; target: x86-64-v2
; CHECK: lock cmpxchg
; CHECK-NOT: __trunc
; CHECK-NOT: __extend
define void @k(ptr %p, ptr %q) {
  %r = atomicrmw fadd ptr %p, half 1.0 monotonic
  %s = atomicrmw fadd ptr %q, bfloat 1.0 monotonic
  store half %r, ptr %q
  ret void
}
