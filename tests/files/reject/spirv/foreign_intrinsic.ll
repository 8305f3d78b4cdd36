; kernel: k
; target: spirv:opencl
; ERROR: llvm.nvvm.read.ptx.sreg.tid.x
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define void @k(ptr %p) {
  %v = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %v, ptr %p
  ret void
}
