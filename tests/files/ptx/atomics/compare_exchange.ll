; kernel: k
; target: ptx:sm_90
; CHECK: atom.acq_rel.sys.global.cas.b64
; CHECK: setp.eq.s64
define void @k(ptr %p, i64 %e, i64 %n) {
  %r = cmpxchg ptr %p, i64 %e, i64 %n release acquire
  %s = extractvalue { i64, i1 } %r, 1
  store i1 %s, ptr %p
  ret void
}
