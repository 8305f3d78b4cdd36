; kernel: _Z5stopsPi
; target: ptx:sm_90
; step: optimise
; CHECK: kernel stops(int*)\00
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
