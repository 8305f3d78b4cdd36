; A kernel with atomics gets no promise that its items are independent.
; kernel: k
; step: entry
; CHECK: define internal void @k.item
; CHECK: store i32 %v, ptr
; CHECK-NOT: !llvm.access.group
define void @k(ptr %p, ptr %q) {
  %v = atomicrmw add ptr %p, i32 1 monotonic
  store i32 %v, ptr %q
  ret void
}
