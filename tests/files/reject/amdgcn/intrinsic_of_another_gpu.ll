; kernel: k
; target: amdgpu:gfx90a
; ERROR: the intrinsic `llvm.nvvm.barrier0` cannot be used on amdgpu:gfx90a
declare void @llvm.nvvm.barrier0()
define void @k(ptr %p) {
  call void @llvm.nvvm.barrier0()
  store i32 1, ptr %p
  ret void
}
