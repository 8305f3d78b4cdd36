; kernel: k
; target: spirv:opencl
; CHECK: printf
; CHECK: printf
@odd = private constant [4 x i8] c"odd\00"
@even = private constant [5 x i8] c"even\00"
declare i32 @puts(ptr)
define void @k(ptr %p, i32 %n) {
  %bit = and i32 %n, 1
  %c = icmp ne i32 %bit, 0
  br i1 %c, label %a, label %b
a:
  %r = call i32 @puts(ptr @odd)
  br label %end
b:
  %s = call i32 @puts(ptr @even)
  br label %end
end:
  store i32 %n, ptr %p
  ret void
}
