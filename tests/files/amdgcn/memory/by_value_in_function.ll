; kernel: k
; target: amdgpu:gfx90a
; no-optimise
; CHECK: s_swappc_b64
; CHECK: .private_segment_fixed_size
define internal i32 @f(ptr byval([4 x i32]) align 4 %s) noinline {
  store i32 5, ptr %s
  %q = getelementptr i32, ptr %s, i64 1
  %v = load i32, ptr %q
  ret i32 %v
}
define void @k(ptr %p) {
  %a = alloca [4 x i32], align 4
  %q = getelementptr i32, ptr %a, i64 1
  store i32 3, ptr %q
  %r = call i32 @f(ptr byval([4 x i32]) align 4 %a)
  %w = load i32, ptr %a
  store i32 %r, ptr %p
  ret void
}
