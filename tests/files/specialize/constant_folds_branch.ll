; A branch on a constant disappears, with what only the dead side needs.
; kernel: k
; step: specialize
; constant: block=i32:16
; CHECK: store i32 16
; CHECK-NOT: @never
; CHECK-NOT: @block
; CHECK-NOT: br i1
@block = external global i32
declare void @never()
define void @k(ptr %p) {
  %b = load i32, ptr @block
  %big = icmp sgt i32 %b, 32
  br i1 %big, label %yes, label %no
yes:
  call void @never()
  ret void
no:
  store i32 %b, ptr %p
  ret void
}
