; kernel: k
; step: flavor
; target: amdgpu:gfx90a
; CHECK: call i32 @f(ptr align 4 %
; CHECK: define internal i32 @f(ptr align 4 %s)
; CHECK: alloca [4 x i32], align 4, addrspace(5)
; CHECK: call void @llvm.memcpy.p5.p0.i64
; CHECK-NOT: byval
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
