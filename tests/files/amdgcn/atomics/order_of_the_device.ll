; kernel: k
; target: amdgpu:gfx90a
; CHECK: s_waitcnt vmcnt(0)
; CHECK: global_store_dword
; CHECK: global_load_dword
; CHECK: glc
; CHECK: s_waitcnt vmcnt(0)
; CHECK: buffer_wbinvl1
; CHECK-NOT: buffer_wbl2
define void @k(ptr %p, ptr %q, i32 %n) {
  store i32 1, ptr %q
  store atomic i32 %n, ptr %p syncscope("agent") release, align 4
  %v = load atomic i32, ptr %p syncscope("agent") acquire, align 4
  %w = load i32, ptr %q
  %s = add i32 %v, %w
  store i32 %s, ptr %q
  ret void
}
