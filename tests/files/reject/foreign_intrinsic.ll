; kernel: k
; ERROR: the intrinsic `llvm.nvvm.read.ptx.sreg.tid.x` cannot be used on
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define void @k(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr %p
  ret void
}
