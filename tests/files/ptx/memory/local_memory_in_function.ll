; kernel: k
; target: ptx:sm_90
; no-optimise
; CHECK: sinter_local_memory
@a = internal addrspace(3) global [4 x i32] undef
define internal i32 @f(i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %end, label %more
more:
  %m = sub i32 %n, 1
  %r = call i32 @f(i32 %m)
  ret i32 %r
end:
  %v = load volatile i32, ptr addrspace(3) @a
  ret i32 %v
}
define void @k(ptr %p, i32 %n) {
  %r = call i32 @f(i32 %n)
  store i32 %r, ptr %p
  ret void
}
