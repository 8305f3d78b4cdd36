; kernel: k
; target: ptx:sm_90
; CHECK: __assertfail
; CHECK: trap;
declare void @llvm.trap()
define void @k(ptr %p, i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.trap()
  unreachable
good:
  store i32 1, ptr %p
  ret void
}
