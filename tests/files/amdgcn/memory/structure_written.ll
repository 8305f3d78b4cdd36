; kernel: k
; target: amdgpu:gfx90a
; CHECK: buffer_store_dword
; CHECK: buffer_load_dword
define void @k(ptr %p, ptr byval([8 x i32]) align 4 %s, i64 %i, i64 %j) {
  %q = getelementptr i32, ptr %s, i64 %i
  store i32 1, ptr %q
  %r = getelementptr i32, ptr %s, i64 %j
  %v = load i32, ptr %r
  store i32 %v, ptr %p
  ret void
}
