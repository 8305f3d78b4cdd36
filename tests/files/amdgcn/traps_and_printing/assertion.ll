; kernel: k
; target: amdgpu:gfx1100
; CHECK: s_trap 2
@text = private constant [6 x i8] c"n > 0\00"
declare void @__assert_fail(ptr, ptr, i32, ptr) noreturn
define void @k(ptr %p, i32 %n) {
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %good, label %bad
bad:
  call void @__assert_fail(ptr @text, ptr @text, i32 3, ptr @text)
  unreachable
good:
  store i32 1, ptr %p
  ret void
}
