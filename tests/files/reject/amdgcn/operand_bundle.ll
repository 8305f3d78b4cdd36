; kernel: k
; target: amdgpu:gfx90a
; ERROR: a call with a `deopt` operand bundle
define internal i32 @f(i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %a, label %b
a:
  ret i32 0
b:
  %m = sub i32 %n, 1
  %r = call i32 @f(i32 %m) ["deopt"(i32 4)]
  %s = xor i32 %r, %n
  ret i32 %s
}
define void @k(ptr %p, i32 %n) {
  %r = call i32 @f(i32 %n)
  store i32 %r, ptr %p
  ret void
}
