; Constants reach branches in called functions.
; kernel: k
; step: prune
; constant: mode=i32:2
; CHECK: define void @k
; CHECK-NOT: @never
@mode = external global i32
declare void @never()
define void @k(ptr %p) {
  %m = load i32, ptr @mode
  call void @act(ptr %p, i32 %m)
  ret void
}
define void @act(ptr %p, i32 %m) {
  %one = icmp eq i32 %m, 1
  br i1 %one, label %yes, label %no
yes:
  call void @never()
  br label %no
no:
  store i32 %m, ptr %p
  ret void
}
