; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpName
; CHECK: "local_memory"
; CHECK: OpTypePointer Workgroup
; CHECK: OpFunctionParameter
; CHECK: OpFunctionParameter
; CHECK: OpLoad
declare ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
@a = internal addrspace(3) global i32 undef
define void @k(ptr %p) {
  %d = call ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
  %v = load volatile i32, ptr addrspace(3) %d
  store volatile i32 %v, ptr addrspace(3) @a
  store i32 %v, ptr %p
  ret void
}
