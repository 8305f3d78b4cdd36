; kernel: k
; target: ptx:sm_90
; arg: 1=i32:1024
; CHECK: ld.shared.v4.f32
declare align 64 ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory() memory(none)
define void @k(ptr %p, i32 %offset) {
  %d = call align 64 ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
  %wide = zext i32 %offset to i64
  %a = getelementptr i8, ptr addrspace(3) %d, i64 %wide
  %x = load float, ptr addrspace(3) %a
  %ya = getelementptr float, ptr addrspace(3) %a, i64 1
  %y = load float, ptr addrspace(3) %ya
  %za = getelementptr float, ptr addrspace(3) %a, i64 2
  %z = load float, ptr addrspace(3) %za
  %wa = getelementptr float, ptr addrspace(3) %a, i64 3
  %w = load float, ptr addrspace(3) %wa
  %xy = fadd float %x, %y
  %zw = fmul float %z, %w
  %r = fdiv float %xy, %zw
  store float %r, ptr %p
  ret void
}
