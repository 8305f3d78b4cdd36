; Addresses that fall from lane to lane: a vector is loaded and turned round, under a mask that is
; turned round, too, and stored likewise.
; kernel: turn
; target: x86-64-v3
; dimensions: 1
; group-size: 64,1,1
; rows: 8
; step: entry
; CHECK: @turn.item(
; CHECK: = load <8 x float>
; CHECK: shufflevector <8 x float>
; CHECK: <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
; CHECK: shufflevector <8 x
; CHECK: call void @llvm.masked.store.v8f32
; CHECK-NOT: gather
; CHECK-NOT: scatter
; CHECK-NOT: load float
; CHECK-NOT: store float
declare i64 @__acpp_sscp_get_local_id_x()
define void @turn(ptr %in, ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %i = sub i64 63, %l
  %from = getelementptr inbounds float, ptr %in, i64 %i
  %x = load float, ptr %from, align 4
  %y.from = getelementptr inbounds float, ptr %in, i64 %l
  %y = load float, ptr %y.from, align 4
  %sum = fadd float %x, %y
  %positive = fcmp ogt float %y, 0.0
  br i1 %positive, label %store, label %end
store:
  %to = getelementptr inbounds float, ptr %out, i64 %i
  store float %sum, ptr %to, align 4
  br label %end
end:
  ret void
}
