; A call of `abort`, which stage 1 made a trap, is told from an exception, which ends the program as C++ says.
; kernel: stops
; step: optimise
; CHECK: kernel `stops` trapped: it threw an exception, and kernels cannot throw
; CHECK: kernel `stops` trapped: it called abort; return from the kernel
; CHECK-NOT: it ended itself
; CHECK: icmp eq ptr @_ZSt9terminatev, null
; CHECK: call void @_ZSt9terminatev()
; CHECK: declare extern_weak void @_ZSt9terminatev()
declare void @llvm.trap()
define void @stops(ptr %flag) {
  %value = load i32, ptr %flag
  switch i32 %value, label %done [ i32 1, label %abort
                                   i32 2, label %throw ]
abort:
  call void @llvm.trap() #0
  unreachable
throw:
  call void @llvm.trap() #1
  unreachable
done:
  ret void
}
attributes #0 = { "sinter-trap"="abort" }
attributes #1 = { "sinter-trap"="exception" }
