; Unoptimised code spills no registers: each would be a lane of a vector register, and that spilled too.
; kernel: k
; target: amdgpu:gfx90a
; no-optimise
; CHECK: .sgpr_spill_count: 0
; CHECK: .vgpr_spill_count: 0
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
define void @k(ptr %p, ptr %q, i32 %n, i64 %m) {
start:
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %s = call i64 @__acpp_sscp_get_local_size_x()
  %f = mul i64 %g, %s
  %i = add i64 %f, %l
  br label %head
head:
  %j = phi i32 [ 0, %start ], [ %k, %body ]
  %done = icmp sge i32 %j, %n
  br i1 %done, label %end, label %body
body:
  %w = sext i32 %j to i64
  %at = add i64 %w, %i
  %from = getelementptr i32, ptr %p, i64 %at
  %v = load i32, ptr %from
  %x = call i32 @of(i32 %v, i64 %m)
  %to = getelementptr i32, ptr %q, i64 %at
  store i32 %x, ptr %to
  %k = add i32 %j, 1
  br label %head
end:
  ret void
}
define internal i32 @of(i32 %v, i64 %m) {
  %t = trunc i64 %m to i32
  %r = mul i32 %v, %t
  ret i32 %r
}
