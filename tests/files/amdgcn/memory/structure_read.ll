; kernel: k
; target: amdgpu:gfx90a
; CHECK: s_load_dword
; CHECK: .private_segment_fixed_size: 0
; CHECK-NOT: scratch_load
; CHECK-NOT: buffer_
define void @k(ptr %p, ptr byval([8 x i32]) align 4 %s) {
  %q = getelementptr i32, ptr %s, i64 5
  %v = load i32, ptr %q
  store i32 %v, ptr %p
  ret void
}
