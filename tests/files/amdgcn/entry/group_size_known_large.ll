; kernel: k
; target: amdgpu:gfx90a
; group-size: 1024,1,1
; CHECK: .max_flat_workgroup_size: 1024
; CHECK: .reqd_workgroup_size:
define void @k(ptr %p) {
  store i64 1, ptr %p
  ret void
}
