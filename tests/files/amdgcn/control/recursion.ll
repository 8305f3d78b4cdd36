; kernel: k
; target: amdgpu:gfx90a
; CHECK: s_swappc_b64
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
  %r = call i32 @f(i32 %i)
  store i32 %r, ptr %p
  ret void
}
