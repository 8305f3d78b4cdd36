; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpCapability ExpectAssumeKHR
; CHECK: OpExtension "SPV_KHR_expect_assume"
; CHECK: OpAssumeTrueKHR
; CHECK: OpExpectKHR
declare void @llvm.assume(i1)
declare i1 @llvm.expect.i1(i1, i1)
define void @k(ptr %p, i32 %a) {
  %b = icmp sgt i32 %a, 0
  call void @llvm.assume(i1 %b)
  %c = icmp sgt i32 %a, 3
  %d = call i1 @llvm.expect.i1(i1 %c, i1 true)
  store volatile i1 %d, ptr %p
  ret void
}
