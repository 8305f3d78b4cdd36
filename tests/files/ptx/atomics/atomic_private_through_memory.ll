; kernel: k
; target: ptx:sm_90
; CHECK: isspacep.local
; CHECK: atom.relaxed.sys.add.u32
define void @k(ptr %p, i32 %n, i64 %j) {
  %m = alloca i32
  store volatile i32 %n, ptr %m
  %place = getelementptr ptr, ptr %p, i64 %j
  store volatile ptr %m, ptr %place
  %q = load volatile ptr, ptr %p
  %a = atomicrmw add ptr %q, i32 %n monotonic
  store i32 %a, ptr %p
  ret void
}
