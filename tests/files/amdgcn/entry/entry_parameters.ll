; kernel: k
; step: entry
; target: amdgpu:gfx90a
; CHECK: define protected amdgpu_kernel void @k(ptr addrspace(1) %0, i8 %1, float %2, ptr addrspace(4) byref([2 x i8]) align 2 %3, ptr addrspace(4) byref([12 x i8]) align 16 %4, ptr addrspace(4) byref({ i32, double }) align 8 %5, i64 %6)
define void @k(ptr %p, i8 %a, float %dead, float %c, half %e, <3 x float> %f, ptr byval({ i32, double }) %s, i64 %i) {
  store volatile i8 %a, ptr %p
  store volatile float %c, ptr %p
  store volatile half %e, ptr %p
  store volatile <3 x float> %f, ptr %p
  %v = load i32, ptr %s
  store volatile i32 %v, ptr %p
  store volatile i64 %i, ptr %p
  ret void
}
