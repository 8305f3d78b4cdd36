; kernel: k
; target: ptx:sm_90
; CHECK: ld.acquire.sys.global.u64
; CHECK: st.release.sys.global.u64
; CHECK: exch.b64
; CHECK: cas.b64
define void @k(ptr %p, ptr %q) {
  %v = load atomic ptr, ptr %p acquire, align 8
  store atomic ptr %v, ptr %q release, align 8
  %x = atomicrmw xchg ptr %p, ptr %v seq_cst
  %c = cmpxchg ptr %q, ptr %x, ptr %v seq_cst seq_cst
  ret void
}
