; What another work-item wrote before the flag is seen behind the builtin that acquires it.
; kernel: k
; target: ptx:sm_90
; CHECK: st.shared.u32
; CHECK: atom.acq_rel.cta.shared.add.u32
; CHECK: ld.shared.u32
; CHECK: st.global.u32
@tile = internal addrspace(3) global [256 x i32] undef
@flag = internal addrspace(3) global i32 undef
declare i32 @__acpp_sscp_atomic_fetch_add_i32(i32, i32, i32, ptr, i32)
define void @k(ptr %out, i32 %n) {
  %t = addrspacecast ptr addrspace(3) @tile to ptr
  %f = addrspacecast ptr addrspace(3) @flag to ptr
  store i32 %n, ptr %t
  %c = call i32 @__acpp_sscp_atomic_fetch_add_i32(i32 4, i32 3, i32 2, ptr %f, i32 1)
  %e = getelementptr i32, ptr %out, i32 %c
  %y = load i32, ptr %t
  store i32 %y, ptr %e
  ret void
}
