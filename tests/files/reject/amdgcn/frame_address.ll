; kernel: k
; target: amdgpu:gfx90a
; ERROR: the intrinsic `llvm.frameaddress.p0`
declare ptr @llvm.frameaddress.p0(i32)
define void @k(ptr %p) {
  %a = call ptr @llvm.frameaddress.p0(i32 0)
  store ptr %a, ptr %p
  ret void
}
