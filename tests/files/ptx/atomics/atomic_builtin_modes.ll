; Every builtin is one instruction with its order, its scope and the address space that the optimiser infers. Local memory is seen
; by its work-group alone; what nothing returns is a reduction where PTX has one of that order.
; kernel: k
; target: ptx:sm_90
; CHECK: red.relaxed.gpu.global.add.u32
; CHECK: neg.s32
; CHECK: red.relaxed.cta.shared.add.u32
; CHECK: atom.acquire.gpu.global.max.s32
; CHECK: atom.release.cta.shared.exch.b32
; CHECK: fence.sc.gpu; atom.acquire.gpu.global.xor.b32
; CHECK: red.release.gpu.global.or.b32
; CHECK: atom.acq_rel.gpu.global.and.b32
; CHECK: red.relaxed.sys.global.add.f32
; CHECK: red.relaxed.sys.global.add.f64
; CHECK: red.relaxed.cta.global.min.s64
; CHECK: ld.acquire.gpu.global.u32
; CHECK: ld.relaxed.gpu.global.u32
; CHECK: st.release.cta.shared.u32
; CHECK: fence.sc.sys; st.relaxed.sys.global.u32
; CHECK-NOT: isspacep
@l = internal addrspace(3) global i32 undef
declare i32 @__acpp_sscp_atomic_fetch_add_i32(i32, i32, i32, ptr, i32)
declare i32 @__acpp_sscp_atomic_fetch_sub_i32(i32, i32, i32, ptr, i32)
declare i32 @__acpp_sscp_atomic_fetch_max_i32(i32, i32, i32, ptr, i32)
declare i32 @__acpp_sscp_atomic_exchange_i32(i32, i32, i32, ptr, i32)
declare i32 @__acpp_sscp_atomic_fetch_xor_i32(i32, i32, i32, ptr, i32)
declare i32 @__acpp_sscp_atomic_fetch_or_i32(i32, i32, i32, ptr, i32)
declare i32 @__acpp_sscp_atomic_fetch_and_i32(i32, i32, i32, ptr, i32)
declare float @__acpp_sscp_atomic_fetch_add_f32(i32, i32, i32, ptr, float)
declare double @__acpp_sscp_atomic_fetch_add_f64(i32, i32, i32, ptr, double)
declare i64 @__acpp_sscp_atomic_fetch_min_i64(i32, i32, i32, ptr, i64)
declare i32 @__acpp_sscp_atomic_load_i32(i32, i32, i32, ptr)
declare void @__acpp_sscp_atomic_store_i32(i32, i32, i32, ptr, i32)
define void @k(ptr %p, i32 %n, float %f, double %d, i64 %m) {
  %l = addrspacecast ptr addrspace(3) @l to ptr
  %1 = call i32 @__acpp_sscp_atomic_fetch_add_i32(i32 4, i32 0, i32 3, ptr %p, i32 %n)
  %2 = call i32 @__acpp_sscp_atomic_fetch_sub_i32(i32 1, i32 0, i32 3, ptr %l, i32 %n)
  %3 = call i32 @__acpp_sscp_atomic_fetch_max_i32(i32 0, i32 1, i32 3, ptr %p, i32 %n)
  %4 = call i32 @__acpp_sscp_atomic_exchange_i32(i32 1, i32 2, i32 4, ptr %l, i32 %3)
  %5 = call i32 @__acpp_sscp_atomic_fetch_xor_i32(i32 0, i32 4, i32 3, ptr %p, i32 %4)
  %6 = call i32 @__acpp_sscp_atomic_fetch_or_i32(i32 4, i32 2, i32 3, ptr %p, i32 %5)
  %7 = call i32 @__acpp_sscp_atomic_fetch_and_i32(i32 4, i32 3, i32 3, ptr %p, i32 %n)
  %8 = call float @__acpp_sscp_atomic_fetch_add_f32(i32 4, i32 0, i32 4, ptr %p, float %f)
  %9 = call double @__acpp_sscp_atomic_fetch_add_f64(i32 0, i32 0, i32 4, ptr %p, double %d)
  %10 = call i64 @__acpp_sscp_atomic_fetch_min_i64(i32 0, i32 0, i32 2, ptr %p, i64 %m)
  %11 = call i32 @__acpp_sscp_atomic_load_i32(i32 0, i32 1, i32 3, ptr %p)
  %12 = call i32 @__acpp_sscp_atomic_load_i32(i32 4, i32 0, i32 3, ptr %p)
  call void @__acpp_sscp_atomic_store_i32(i32 1, i32 2, i32 2, ptr %l, i32 %11)
  call void @__acpp_sscp_atomic_store_i32(i32 4, i32 4, i32 4, ptr %p, i32 %12)
  ret void
}
