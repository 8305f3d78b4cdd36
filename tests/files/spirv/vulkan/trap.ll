; kernel: k
; target: spirv:vulkan
; CHECK: OpModuleProcessed "sinter.trap=1=
; CHECK: OpReturn
define void @k(ptr %p) {
  %x = load i32, ptr %p
  %bad = icmp eq i32 %x, 0
  br i1 %bad, label %end, label %good
end:
  call void @llvm.trap()
  unreachable
good:
  store i32 1, ptr %p
  ret void
}
declare void @llvm.trap()
