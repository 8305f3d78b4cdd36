; target: amdgpu:gfx90a
; CHECK: .amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
; CHECK: .amdhsa_code_object_version 5
; CHECK: .protected k
; CHECK: v_add_f32
; CHECK: global_store_dword
; CHECK: .amdhsa_kernarg_size 24
; CHECK: .amdhsa_user_sgpr_dispatch_ptr 0
; CHECK: .amdhsa_system_sgpr_private_segment_wavefront_offset 0
; CHECK: .private_segment_fixed_size: 0
; CHECK-NOT: flat_load
; CHECK-NOT: flat_store
; CHECK-NOT: hidden_
define void @k(ptr %x, ptr %y, i64 %i) {
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %q = getelementptr float, ptr %y, i64 %i
  %w = load float, ptr %q
  %s = fadd float %v, %w
  store float %s, ptr %q
  ret void
}
