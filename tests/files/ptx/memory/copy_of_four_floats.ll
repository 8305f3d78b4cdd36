; A copy of 16 aligned bytes is one load and one store.
; kernel: k
; target: ptx:sm_90
; CHECK: ld.global.v4.u32
; CHECK: st.global.v4.u32
; CHECK: ld.global.v4.u32
; CHECK: +16], {
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @k(ptr %a, ptr %b, ptr %c, ptr %d) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %a, ptr align 16 %b, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 32 %c, ptr align 32 %d, i64 32, i1 false)
  ret void
}
