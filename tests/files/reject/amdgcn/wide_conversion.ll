; kernel: k
; target: amdgpu:gfx90a
; ERROR: integers of more than 64 bits
define void @k(ptr %p) {
  %a = load i128, ptr %p
  %b = sitofp i128 %a to double
  store double %b, ptr %p
  ret void
}
