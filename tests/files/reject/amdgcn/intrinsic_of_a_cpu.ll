; kernel: k
; target: amdgpu:gfx90a
; ERROR: the intrinsic `llvm.x86.sse2.pause` cannot be used on amdgpu:gfx90a
declare void @llvm.x86.sse2.pause()
define void @k(ptr %p) {
  call void @llvm.x86.sse2.pause()
  store i32 1, ptr %p
  ret void
}
