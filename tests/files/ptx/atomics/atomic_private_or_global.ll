; PTX cannot access private memory atomically, so the code asks where a pointer leads.
; kernel: k
; target: ptx:sm_90
; CHECK: isspacep.local
; CHECK: fence.sc.sys; atom.acquire.sys.add.u32
define void @k(ptr %p, i1 %i, i32 %n, i64 %j) {
  %m = alloca [4 x i32]
  store i32 %n, ptr %m
  %b = select i1 %i, ptr %m, ptr %p
  %q = getelementptr i32, ptr %b, i64 %j
  %a = atomicrmw add ptr %q, i32 %n seq_cst
  %d = load i32, ptr %m
  %c = add i32 %a, %d
  store i32 %c, ptr %p
  ret void
}
