; An access that may touch private memory is never in the access group; the others are.
; kernel: k
; step: entry
; CHECK: define internal void @k.item
; CHECK: store i32 %3, ptr %slot, align 4
; CHECK: load i32, ptr %other, align 4
; CHECK: store i32 %w, ptr %0, align 4, !llvm.access.group
define void @k(ptr %p, i64 %i, i64 %j, i32 %v) {
  %a = alloca [64 x i32]
  %slot = getelementptr i32, ptr %a, i64 %i
  store i32 %v, ptr %slot
  %other = getelementptr i32, ptr %a, i64 %j
  %w = load i32, ptr %other
  store i32 %w, ptr %p
  ret void
}
