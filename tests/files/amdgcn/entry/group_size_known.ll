; kernel: k
; step: entry
; target: amdgpu:gfx90a
; group-size: 8,4,2
; CHECK: !reqd_work_group_size
; CHECK: "amdgpu-flat-work-group-size"="64,64"
; CHECK: "uniform-work-group-size"="true"
; CHECK: !{i32 8, i32 4, i32 2}
declare i64 @__acpp_sscp_get_local_size_x()
define void @k(ptr %p) {
  %n = call i64 @__acpp_sscp_get_local_size_x()
  store i64 %n, ptr %p
  ret void
}
