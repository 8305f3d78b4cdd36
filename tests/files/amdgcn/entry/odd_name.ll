; kernel: a@b
; target: amdgpu:gfx90a
; CHECK: .protected a_b
; CHECK: .amdhsa_kernel a_b
define void @"a@b"(ptr %p) {
  store i32 1, ptr %p
  ret void
}
