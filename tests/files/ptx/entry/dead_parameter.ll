; kernel: k
; target: ptx:sm_90
; CHECK: .param .u64 k_param_0, .param .u32 k_param_1 )
define void @k(ptr %p, i64 %unused, i32 %n) {
  store i32 %n, ptr %p
  ret void
}
