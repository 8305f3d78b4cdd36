; A function that calls itself does so by rows while any lane is left. Where the stack is deep, lanes
; call it one after another.
; kernel: k
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; step: entry
; REMARK: rows of 16 work-items
; REMARK-NOT: one work-item after another
; CHECK: define internal <16 x float> @halves.row(i16 %0, i64 %1, <16 x float> %2)
; CHECK: call ptr @llvm.frameaddress.p0(i32 0)
; CHECK: call <16 x float> @halves.row(i16
; CHECK: call float @halves(float
; CHECK: define internal void @k.item
; CHECK: call <16 x float> @halves.row(i16 -1, i64
declare i64 @__acpp_sscp_get_local_id_x()
declare float @llvm.sqrt.f32(float)
define internal float @halves(float %x) {
  %small = fcmp olt float %x, 1.0
  br i1 %small, label %end, label %again
again:
  %root = call float @llvm.sqrt.f32(float %x)
  %half = fmul float %x, 5.0e-01
  %rest = call float @halves(float %half)
  %sum = fadd float %rest, %root
  br label %end
end:
  %y = phi float [ %x, %0 ], [ %sum, %again ]
  ret float %y
}
define void @k(ptr %in, ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %from = getelementptr inbounds float, ptr %in, i64 %l
  %x = load float, ptr %from, align 4
  %y = call float @halves(float %x)
  %to = getelementptr inbounds float, ptr %out, i64 %l
  store float %y, ptr %to, align 4
  ret void
}
