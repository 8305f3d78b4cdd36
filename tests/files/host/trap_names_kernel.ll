; A trap prints the kernel's name and aborts; no bare trap is left.
; kernel: stops
; step: optimise
; CHECK: kernel `stops` trapped
; CHECK: call i64 @write(i32 2
; CHECK: call void @abort()
; CHECK-NOT: @llvm.trap
declare void @llvm.trap()
define void @stops(ptr %flag) {
  %value = load i32, ptr %flag
  %bad = icmp eq i32 %value, 7
  br i1 %bad, label %trap, label %done
trap:
  call void @llvm.trap()
  unreachable
done:
  ret void
}
