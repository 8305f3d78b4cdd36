; kernel: WARP_SZ
; target: ptx:sm_90
; CHECK: .entry kernel_WARP_SZ(
define void @WARP_SZ(ptr %p) {
  store i32 1, ptr %p
  ret void
}
