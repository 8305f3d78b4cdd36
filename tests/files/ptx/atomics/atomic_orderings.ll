; kernel: k
; target: ptx:sm_90
; CHECK: atom.relaxed.sys.global.add.u32
; CHECK: atom.acquire.sys.global.exch.b32
; CHECK: atom.release.sys.global.max.s32
; CHECK: fence.sc.sys; atom.acquire.sys.global.add.u32
define void @k(ptr %p, i32 %n) {
  %a = atomicrmw add ptr %p, i32 %n monotonic
  %b = atomicrmw xchg ptr %p, i32 %a acquire
  %c = atomicrmw max ptr %p, i32 %b release
  %d = atomicrmw sub ptr %p, i32 %c seq_cst
  ret void
}
