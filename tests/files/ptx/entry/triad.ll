; kernel: k
; target: ptx:sm_90
; CHECK: .version 8.5
; CHECK: .target sm_90
; CHECK: .entry k(
; CHECK: .param .u64 k_param_0
; CHECK: mul.wide.u32
; CHECK: ld.global.f32
; CHECK: fma.rn.f32
; CHECK: st.global.f32
; CHECK-NOT: cvta
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
define void @k(ptr %a, ptr %b, ptr %c, float %s, i64 %n) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %z = call i64 @__acpp_sscp_get_local_size_x()
  %m = mul i64 %g, %z
  %i = add i64 %m, %l
  %in = icmp ult i64 %i, %n
  br i1 %in, label %body, label %done
body:
  %pb = getelementptr inbounds float, ptr %b, i64 %i
  %vb = load float, ptr %pb
  %pc = getelementptr inbounds float, ptr %c, i64 %i
  %vc = load float, ptr %pc
  %x = fmul contract float %s, %vc
  %y = fadd contract float %vb, %x
  %pa = getelementptr inbounds float, ptr %a, i64 %i
  store float %y, ptr %pa
  br label %done
done:
  ret void
}
