; The values of 32 lanes are read from lanes that each lane computes, without memory.
; kernel: read
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; sub-group-size: 32
; step: optimise
; CHECK: define void @read
; CHECK: llvm.x86.avx512.vpermi2var.d.512
; CHECK-NOT: gather
declare i64 @__acpp_sscp_get_local_id_x()
declare i32 @__acpp_sscp_sub_group_select_i32(i32, i32)
define void @read(ptr %values, ptr %places) {
  %x = call i64 @__acpp_sscp_get_local_id_x()
  %place = getelementptr inbounds i32, ptr %places, i64 %x
  %lane = load i32, ptr %place
  %from = getelementptr inbounds i32, ptr %values, i64 %x
  %value = load i32, ptr %from
  %other = call i32 @__acpp_sscp_sub_group_select_i32(i32 %value, i32 %lane)
  store i32 %other, ptr %from
  ret void
}
