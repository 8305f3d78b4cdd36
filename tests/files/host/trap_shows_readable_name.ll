; A trap says what the source calls the kernel.
; kernel: _Z5stopsPi
; step: optimise
; CHECK: sinter: kernel `stops(int*)` trapped: it ended itself: a failed check or a trap\0A
declare void @llvm.trap()
define void @_Z5stopsPi(ptr %flag) {
  %value = load i32, ptr %flag
  %bad = icmp eq i32 %value, 7
  br i1 %bad, label %trap, label %done
trap:
  call void @llvm.trap()
  unreachable
done:
  ret void
}
