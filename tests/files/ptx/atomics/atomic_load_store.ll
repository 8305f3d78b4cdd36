; kernel: k
; target: ptx:sm_90
; CHECK: ld.acquire.sys.global.u32
; CHECK: st.release.sys.global.u32
; CHECK: fence.sc.sys; ld.acquire.sys.global.u64
; CHECK: fence.sc.sys; st.relaxed.sys.global.u64
; CHECK: ld.relaxed.sys.global.u8
define void @k(ptr %p) {
  %a = load atomic i32, ptr %p acquire, align 4
  store atomic i32 %a, ptr %p release, align 4
  %b = load atomic i64, ptr %p seq_cst, align 8
  store atomic i64 %b, ptr %p seq_cst, align 8
  %c = load atomic i8, ptr %p monotonic, align 1
  store i8 %c, ptr %p
  ret void
}
