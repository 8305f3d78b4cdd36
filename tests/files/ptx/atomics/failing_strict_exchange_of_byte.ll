; A failure orders like a success: it has executed the exchange of the word.
; kernel: k
; target: ptx:sm_90
; CHECK: fence.sc.gpu; atom.acquire.gpu.global.cas.b32
declare i1 @__acpp_sscp_cmp_exch_strong_i8(i32, i32, i32, i32, ptr, ptr, i8)
define void @k(ptr %p, ptr %q) {
  %e = alloca i8
  store i8 1, ptr %e
  %r = call i1 @__acpp_sscp_cmp_exch_strong_i8(i32 0, i32 4, i32 4, i32 3, ptr %p, ptr %e, i8 2)
  %v = load i8, ptr %e
  store i8 %v, ptr %q
  ret void
}
