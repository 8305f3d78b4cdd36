; Two reads of a clock are two, on either side of the work that they measure.
; kernel: k
; target: ptx:sm_70
; CHECK: %clock64;
; CHECK: st.volatile.global
; CHECK: %globaltimer;
; CHECK: %clock64;
declare i64 @__acpp_sscp_read_cycle_clock()
declare i64 @__acpp_sscp_read_steady_clock()
define void @k(ptr %p, ptr %q) {
  %a = call i64 @__acpp_sscp_read_cycle_clock()
  store volatile i64 %a, ptr %q
  %t = call i64 @__acpp_sscp_read_steady_clock()
  %b = call i64 @__acpp_sscp_read_cycle_clock()
  %d = sub i64 %b, %a
  %e = xor i64 %d, %t
  store i64 %e, ptr %p
  ret void
}
