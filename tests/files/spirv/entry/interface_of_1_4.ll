; kernel: k
; target: spirv:opencl:1.4
; no-optimise
; CHECK: ; Version: 1.4
; CHECK: OpEntryPoint Kernel %1 "k" %11 %16 %21 OpSource
; CHECK: BuiltIn LocalInvocationId
declare i64 @__acpp_sscp_get_local_id_x()
@a = internal addrspace(3) global i32 undef
@t = internal global i32 5
define void @k(ptr %p) {
  %i = call i64 @__acpp_sscp_get_local_id_x()
  store volatile i64 %i, ptr %p
  store volatile i32 2, ptr addrspace(3) @a
  store volatile i32 2, ptr @t
  ret void
}
