; kernel: k
; target: ptx:sm_90
; CHECK: ld.global.nc.u32
define void @k(ptr noalias %p, ptr noalias %a) {
  %x = load i32, ptr %a
  store i32 %x, ptr %p
  ret void
}
