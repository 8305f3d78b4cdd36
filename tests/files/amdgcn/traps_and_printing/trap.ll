; kernel: k
; target: amdgpu:gfx90a
; CHECK: s_trap 2
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
