; Members of an array of structures: vectors of all members and shuffles of them, where all lanes
; load; the last vector ends with the last lane's member.
; kernel: sum
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; rows: 16
; step: entry
; CHECK: @sum.item(
; CHECK: load <16 x float>
; CHECK: getelementptr i8, ptr
; CHECK: i64 64
; CHECK: load <16 x float>
; CHECK: shufflevector <16 x float>
; CHECK: <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 18, i32 21, i32 24, i32 27, i32 30,
; CHECK: i64 120
; CHECK: load <16 x float>
; CHECK: shufflevector <16 x float>
; CHECK-NOT: gather
declare i64 @__acpp_sscp_get_local_id_x()
define void @sum(ptr %in, ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %from = getelementptr inbounds { float, float, float }, ptr %in, i64 %l
  %x = load float, ptr %from, align 4
  %to = getelementptr inbounds float, ptr %out, i64 %l
  store float %x, ptr %to, align 4
  ret void
}
