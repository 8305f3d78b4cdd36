; kernel: k
; target: amdgpu:gfx90a
; CHECK: buffer_wbl2
; CHECK: s_waitcnt vmcnt(0)
; CHECK: buffer_invl2
; CHECK: buffer_wbinvl1
define void @k(ptr %p, ptr %q, i32 %n) {
  store i32 1, ptr %q
  store atomic i32 %n, ptr %p release, align 4
  %v = load atomic i32, ptr %p acquire, align 4
  %w = load i32, ptr %q
  %s = add i32 %v, %w
  store i32 %s, ptr %q
  ret void
}
