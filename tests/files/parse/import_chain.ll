; An imported function comes from another image, and what that imports from a third.
; kernel: k
; step: simplify
; import: ../imports/middle.ll
; import: ../imports/last.ll
; CHECK: define void @k
; CHECK: store i32 42
; CHECK-NOT: call
; CHECK-NOT: @unrelated
declare void @middle(ptr)
define void @k(ptr %p) {
  call void @middle(ptr %p)
  ret void
}
