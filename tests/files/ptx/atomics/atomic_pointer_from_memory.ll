; Nothing asks where a pointer leads if no address of private memory goes anywhere.
; kernel: k
; target: ptx:sm_90
; CHECK: atom.relaxed.sys.add.u32
; CHECK-NOT: isspacep
define void @k(ptr %p, i32 %n) {
  %m = alloca i32
  store volatile i32 %n, ptr %m
  %q = load ptr, ptr %p
  %a = atomicrmw add ptr %q, i32 %n monotonic
  store i32 %a, ptr %p
  ret void
}
