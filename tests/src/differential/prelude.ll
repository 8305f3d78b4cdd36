@tile.0 = internal addrspace(3) global [256 x i32] undef, align 4
@tile.1 = internal addrspace(3) global [256 x i32] undef, align 4
@counters = internal addrspace(3) global [4 x i32] undef, align 4

declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_local_id_y()
declare i64 @__acpp_sscp_get_local_id_z()
declare i64 @__acpp_sscp_get_local_size_x()
declare i64 @__acpp_sscp_get_local_size_y()
declare i64 @__acpp_sscp_get_local_size_z()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_group_id_y()
declare i64 @__acpp_sscp_get_group_id_z()
declare i64 @__acpp_sscp_get_num_groups_x()
declare i64 @__acpp_sscp_get_num_groups_y()
declare void @__acpp_sscp_work_group_barrier(i32, i32) #1
declare ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
declare ptr addrspace(3) @__sinter_local_memory(i64, i64)
declare i32 @__acpp_sscp_work_group_reduce_u32(i32, i32) #1
declare i32 @__acpp_sscp_work_group_inclusive_scan_u32(i32, i32) #1
declare i32 @__acpp_sscp_work_group_exclusive_scan_u32(i32, i32, i32) #1
declare i32 @__acpp_sscp_work_group_broadcast_i32(i32, i32) #1
declare zeroext i1 @__acpp_sscp_work_group_any(i1 zeroext) #1
declare zeroext i1 @__acpp_sscp_work_group_all(i1 zeroext) #1
declare zeroext i1 @__acpp_sscp_work_group_none(i1 zeroext) #1
declare i32 @__acpp_sscp_work_group_shift_left_i32(i32, i32) #1
declare i32 @__acpp_sscp_work_group_shift_right_i32(i32, i32) #1
declare i32 @__acpp_sscp_work_group_permute_i32(i32, i32) #1
declare i32 @__acpp_sscp_work_group_select_i32(i32, i32) #1
declare i32 @__acpp_sscp_get_subgroup_local_id()
declare i32 @__acpp_sscp_get_subgroup_size()
declare i32 @__acpp_sscp_get_subgroup_id()
declare i32 @__acpp_sscp_get_num_subgroups()
declare i8 @__acpp_sscp_sub_group_broadcast_i8(i32, i8) #1
declare i8 @__acpp_sscp_sub_group_shift_left_i8(i8, i32) #1
declare i8 @__acpp_sscp_sub_group_shift_right_i8(i8, i32) #1
declare i8 @__acpp_sscp_sub_group_permute_i8(i8, i32) #1
declare i8 @__acpp_sscp_sub_group_select_i8(i8, i32) #1
declare i16 @__acpp_sscp_sub_group_broadcast_i16(i32, i16) #1
declare i16 @__acpp_sscp_sub_group_shift_left_i16(i16, i32) #1
declare i16 @__acpp_sscp_sub_group_shift_right_i16(i16, i32) #1
declare i16 @__acpp_sscp_sub_group_permute_i16(i16, i32) #1
declare i16 @__acpp_sscp_sub_group_select_i16(i16, i32) #1
declare i32 @__acpp_sscp_sub_group_broadcast_i32(i32, i32) #1
declare i32 @__acpp_sscp_sub_group_shift_left_i32(i32, i32) #1
declare i32 @__acpp_sscp_sub_group_shift_right_i32(i32, i32) #1
declare i32 @__acpp_sscp_sub_group_permute_i32(i32, i32) #1
declare i32 @__acpp_sscp_sub_group_select_i32(i32, i32) #1
declare i64 @__acpp_sscp_sub_group_broadcast_i64(i32, i64) #1
declare i64 @__acpp_sscp_sub_group_shift_left_i64(i64, i32) #1
declare i64 @__acpp_sscp_sub_group_shift_right_i64(i64, i32) #1
declare i64 @__acpp_sscp_sub_group_permute_i64(i64, i32) #1
declare i64 @__acpp_sscp_sub_group_select_i64(i64, i32) #1
declare i8 @__acpp_sscp_sub_group_reduce_u8(i32, i8) #1
declare i8 @__acpp_sscp_sub_group_inclusive_scan_u8(i32, i8) #1
declare i8 @__acpp_sscp_sub_group_exclusive_scan_u8(i32, i8, i8) #1
declare i16 @__acpp_sscp_sub_group_reduce_u16(i32, i16) #1
declare i16 @__acpp_sscp_sub_group_inclusive_scan_u16(i32, i16) #1
declare i16 @__acpp_sscp_sub_group_exclusive_scan_u16(i32, i16, i16) #1
declare i32 @__acpp_sscp_sub_group_reduce_u32(i32, i32) #1
declare i32 @__acpp_sscp_sub_group_inclusive_scan_u32(i32, i32) #1
declare i32 @__acpp_sscp_sub_group_exclusive_scan_u32(i32, i32, i32) #1
declare i64 @__acpp_sscp_sub_group_reduce_u64(i32, i64) #1
declare i64 @__acpp_sscp_sub_group_inclusive_scan_u64(i32, i64) #1
declare i64 @__acpp_sscp_sub_group_exclusive_scan_u64(i32, i64, i64) #1
declare float @__acpp_sscp_sub_group_reduce_f32(i32, float) #1
declare float @__acpp_sscp_sub_group_inclusive_scan_f32(i32, float) #1
declare float @__acpp_sscp_sub_group_exclusive_scan_f32(i32, float, float) #1
declare zeroext i1 @__acpp_sscp_sub_group_any(i1 zeroext) #1
declare zeroext i1 @__acpp_sscp_sub_group_all(i1 zeroext) #1
declare zeroext i1 @__acpp_sscp_sub_group_none(i1 zeroext) #1
declare i64 @__acpp_sscp_sub_group_active() #1
declare i64 @__acpp_sscp_sub_group_ballot(i64, i1 zeroext) #1

attributes #0 = { convergent nounwind }
attributes #1 = { convergent nounwind }

define internal i32 @local_linear() {
  %x = call i64 @__acpp_sscp_get_local_id_x()
  %y = call i64 @__acpp_sscp_get_local_id_y()
  %z = call i64 @__acpp_sscp_get_local_id_z()
  %nx = call i64 @__acpp_sscp_get_local_size_x()
  %ny = call i64 @__acpp_sscp_get_local_size_y()
  %plane = mul i64 %z, %ny
  %row = add i64 %plane, %y
  %start = mul i64 %row, %nx
  %position = add i64 %start, %x
  %result = trunc i64 %position to i32
  ret i32 %result
}

define internal i32 @group_size() {
  %nx = call i64 @__acpp_sscp_get_local_size_x()
  %ny = call i64 @__acpp_sscp_get_local_size_y()
  %nz = call i64 @__acpp_sscp_get_local_size_z()
  %plane = mul i64 %nx, %ny
  %size = mul i64 %plane, %nz
  %result = trunc i64 %size to i32
  ret i32 %result
}

define internal i32 @group_linear() {
  %x = call i64 @__acpp_sscp_get_group_id_x()
  %y = call i64 @__acpp_sscp_get_group_id_y()
  %z = call i64 @__acpp_sscp_get_group_id_z()
  %nx = call i64 @__acpp_sscp_get_num_groups_x()
  %ny = call i64 @__acpp_sscp_get_num_groups_y()
  %plane = mul i64 %z, %ny
  %row = add i64 %plane, %y
  %start = mul i64 %row, %nx
  %number = add i64 %start, %x
  %result = trunc i64 %number to i32
  ret i32 %result
}

define internal i32 @global_linear() {
  %group = call i32 @group_linear()
  %size = call i32 @group_size()
  %position = call i32 @local_linear()
  %start = mul i32 %group, %size
  %result = add i32 %start, %position
  ret i32 %result
}

define internal i32 @mixed(i32 %value) {
  %id = call i64 @__acpp_sscp_get_local_id_x()
  %x = trunc i64 %id to i32
  %product = mul i32 %value, 5
  %result = xor i32 %product, %x
  ret i32 %result
}

