; Objects that lie one behind the other are copied as one.
; kernel: move
; target: x86-64-v4
; dimensions: 1
; group-size: 16,1,1
; rows: 16
; step: optimise
; CHECK: define void @move
; CHECK: i64 192
; CHECK-NOT: i64 12,
declare i64 @__acpp_sscp_get_local_id_x()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @move(ptr %from, ptr %to) {
  %x = call i64 @__acpp_sscp_get_local_id_x()
  %a = getelementptr inbounds [3 x float], ptr %from, i64 %x
  %b = getelementptr inbounds [3 x float], ptr %to, i64 %x
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %b, ptr align 4 %a, i64 12, i1 false)
  ret void
}
