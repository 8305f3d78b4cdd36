; kernel: k
; target: amdgpu:gfx1100
; no-optimise
; step: entry
; CHECK: alloca [4000 x i8]
; CHECK: alloca i32
; CHECK: call void @llvm.memcpy
define void @k(ptr %p, ptr byval([4000 x i8]) align 4 %s, i64 %i) {
  %n = alloca i32
  store volatile i32 1, ptr %n
  %q = getelementptr i8, ptr %s, i64 %i
  store i8 1, ptr %q
  %v = load i32, ptr %s
  %w = load volatile i32, ptr %n
  %r = add i32 %v, %w
  store i32 %r, ptr %p
  ret void
}
