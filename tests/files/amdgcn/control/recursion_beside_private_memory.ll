; kernel: k
; target: amdgpu:gfx90a
; CHECK: .private_segment_fixed_size: 2032
; CHECK: .uses_dynamic_stack: true
define internal i32 @f(i32 %x) noinline {
  %c = icmp eq i32 %x, 0
  br i1 %c, label %a, label %b
a:
  ret i32 1
b:
  %y = sub i32 %x, 1
  %z = call i32 @f(i32 %y)
  %v = mul i32 %z, %x
  %w = xor i32 %v, %z
  ret i32 %w
}
define void @k(ptr %p, i32 %i) {
  %m = alloca [500 x i32]
  %s = getelementptr i32, ptr %m, i32 %i
  store volatile i32 %i, ptr %s
  %r = call i32 @f(i32 %i)
  %q = load volatile i32, ptr %m
  %t = add i32 %r, %q
  store i32 %t, ptr %p
  ret void
}
