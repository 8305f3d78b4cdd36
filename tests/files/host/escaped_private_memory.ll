; Once the address of private memory is stored, a pointer that is loaded may be it.
; kernel: k
; step: entry
; CHECK: %q = load volatile ptr, ptr %0, align 8, !llvm.access.group
; CHECK: store i32 7, ptr %q, align 4
; CHECK-NOT: store i32 7, ptr %q, align 4, !llvm.access.group
define void @k(ptr %p, i64 %i) {
  %a = alloca [64 x i32]
  %slot = getelementptr i32, ptr %a, i64 %i
  store ptr %slot, ptr %p
  %q = load volatile ptr, ptr %p
  store i32 7, ptr %q
  ret void
}
